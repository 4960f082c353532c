internal import Foundation
internal import PortolanApp

/// A file that holds one shape.
struct SketchFile {
  /// The most that is read, in bytes.
  static let greatestSize = 64 << 20

  let url: URL

  /// The shape; see ``PortolanApp/Sketch/init(reading:isNative:)``.
  func sketch(isNative: Bool) throws -> Sketch {
    try Sketch(reading: contents(), isNative: isNative)
  }

  private func contents() throws -> Data {
    let path = url.relativePath
    guard FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) else {
      throw Failure(
        .noSuchFile, "There is no file \(path).", suggestion: "Check the path.", file: path,
        status: .notFound)
    }
    let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    guard size <= Self.greatestSize else {
      throw Failure(
        .unreadable, "\(path) holds \(ByteCount.text(size)), too much for one shape.", file: path)
    }
    return try Data(contentsOf: url)
  }
}
