import Foundation
import Testing

@testable import PortolanRendering

/// Compares a picture with the file `__Snapshots__/<name>` beside the tests, pixel by pixel.
///
/// Fonts and libraries differ a little between machines: a few pixels may be another colour.
/// A missing file is written and the test fails once; `RECORD_SNAPSHOTS=1` rewrites all of them.
func expectPicture(
  _ actual: Data, named name: String, tolerance: Double = 0.01,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "__Snapshots__")
  let file = folder.appending(path: name)
  let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"
  // A missing file is what recording is for.
  guard !isRecording, let expected = try? Data(contentsOf: file) else {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try actual.write(to: file)
    Issue.record("recorded \(name); look at it, then run again", sourceLocation: sourceLocation)
    return
  }
  let (left, right) = (try PictureDecoder.decode(actual), try PictureDecoder.decode(expected))
  try #require(left.width == right.width && left.height == right.height)
  let different = zip(left.pixels, right.pixels).count { first, second in
    [24, 16, 8, 0].contains { shift in
      abs(Int(first >> shift & 255) - Int(second >> shift & 255)) > 12
    }
  }
  let share = Double(different) / Double(left.pixels.count)
  #expect(share <= tolerance, "\(name) differs", sourceLocation: sourceLocation)
}
