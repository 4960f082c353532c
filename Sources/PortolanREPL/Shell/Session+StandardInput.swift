internal import Foundation
internal import PortolanApp

extension Session {
  /// The meaning of the file name `-`: all of standard input, up to a limit.
  ///
  /// - Throws: A usage error where the lines of the session come from standard input, a failure if
  ///   there is too much of it or it cannot be read.
  func standardInput(limit: Int) throws -> Data {
    guard !keepsMap else {
      throw UsageError(
        "Standard input is where commands are read from, so \"-\" is no file here.",
        suggestion: "Name a file, or give the command when Portolan is started.")
    }
    let data = try readInput(limit)
    guard data.count <= limit else {
      throw Failure(.unreadable, "Standard input holds more than \(ByteCount.text(limit)).")
    }
    return data
  }

  /// The bytes of a stream up to one more than a limit, which shows that there are more.
  nonisolated static func bytes(of stream: FileHandle, upTo limit: Int) throws -> Data {
    var data = Data()
    while data.count <= limit, let piece = try stream.read(upToCount: 1 << 16), !piece.isEmpty {
      data += piece
    }
    return data
  }
}

extension URL {
  /// Whether a person typed `-`, which stands for standard input.
  var isStandardStream: Bool { relativePath == "-" }
}
