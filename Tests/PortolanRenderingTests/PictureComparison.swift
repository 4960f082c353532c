import Foundation
import Testing

@testable import PortolanImages

/// Pictures that are recorded as `__Snapshots__/<name>` beside the tests.
enum RecordedPicture {
  /// The share of inked pixels that may differ by more than ``threshold`` of 255; the fonts are
  /// pinned, so this is for other versions of libraries.
  static let tolerance = 0.002
  static let threshold = 24

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "__Snapshots__")
  static let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

  static func file(_ name: String) -> URL { folder.appending(path: name) }

  /// The share of the ink by which a picture differs from the recorded one.
  static func difference(_ picture: PixelImage, named name: String) throws -> Double {
    let expected = try ImageDecoder.decode(try Data(contentsOf: file(name)))
    return InkComparison(picture, expected, threshold: threshold).share
  }
}

/// Compares a picture with the recorded one, among inked pixels.
///
/// A missing file is written and the test fails once; `RECORD_SNAPSHOTS=1` rewrites those that
/// differ, which are looked at before they are committed.
func expectPicture(
  _ actual: Data, named name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = RecordedPicture.file(name)
  let image = try ImageDecoder.decode(actual)
  let exists = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
  let share = exists ? try RecordedPicture.difference(image, named: name) : 1
  if share > RecordedPicture.tolerance, RecordedPicture.isRecording || !exists {
    try actual.write(to: file)
    Issue.record("recorded \(name); look at it, then run again", sourceLocation: sourceLocation)
    return
  }
  #expect(
    share <= RecordedPicture.tolerance, "\(name) differs in \(share) of its ink",
    sourceLocation: sourceLocation)
}
