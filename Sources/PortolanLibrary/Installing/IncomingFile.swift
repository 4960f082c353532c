public import Foundation
internal import PortolanCrypto
public import PortolanFiles
internal import Synchronization

/// A file that is being copied into the library.
///
/// What is read of it in order is written and digested on the way, so that checking a package while
/// it is copied reads nothing twice.
public final class IncomingFile: Sendable {
  fileprivate struct State: ~Copyable {
    var target: StagedFile?
    var digest: SHA256?
    /// How many bytes are in the copy.
    var count = 0
    /// The last of them.
    var window = Data()
    var rereadCount = 0
  }

  /// How much is read at once, and the largest gap that reading in order may leave.
  private static let pieceSize = 1 << 20

  /// The name of the file.
  public let name: String
  /// How many bytes it has.
  public let byteCount: Int
  private let source: IncomingBytes
  private let state: Mutex<State>

  init(_ source: URL, to target: URL, in files: FileSystem) throws {
    self.source = try IncomingBytes(of: source)
    name = source.lastPathComponent
    byteCount = self.source.count
    state = Mutex(
      State(
        target: try StagedFile(replacing: target, permissions: 0o600, in: files),
        digest: try SHA256()))
  }

  /// How many bytes were read that are not in the copy yet, or are no longer at hand.
  public var rereadByteCount: Int { state.withLock { $0.rereadCount } }

  /// Some of the bytes.
  ///
  /// What comes next, or soon, is copied on the way; the end of a file can be read before.
  ///
  /// - Throws: ``FileError``, also where the copy cannot be written.
  public func read(_ range: Range<Int>) throws(FileError) -> Data {
    try state.withLock { state throws(FileError) in
      let windowStart = state.count - state.window.count
      guard range.lowerBound >= windowStart, range.lowerBound <= state.count + Self.pieceSize,
        range.upperBound <= byteCount
      else {
        state.rereadCount += range.count
        return try source.read(range)
      }
      var bytes = state.bytes(in: range)
      while state.count < range.upperBound {
        try advance(&state)
        bytes += state.bytes(in: range.lowerBound + bytes.count..<range.upperBound)
      }
      return bytes
    }
  }

  /// Copies what is left, and puts the copy in its place.
  ///
  /// - Returns: The digest of all bytes.
  func finish() throws -> Data? {
    try state.withLock { state throws in
      while state.count < byteCount { try advance(&state) }
      try state.target.take()?.commit()
      return try state.digest.take()?.finalize()
    }
  }

  /// Copies the next piece.
  private func advance(_ state: inout State) throws(FileError) {
    guard !Task.isCancelled else { throw .cancelled }
    let piece = try source.read(
      state.count..<min(state.count + Self.pieceSize, byteCount))
    try state.target?.write(piece)
    do throws(CryptoError) {
      try unsafe state.digest?.update(piece.span.bytes)
    } catch {
      throw .unreadable(file: source.path, reason: error.localizedDescription)
    }
    state.window = piece
    state.count += piece.count
  }
}

extension IncomingFile.State {
  /// What of a range is at hand.
  fileprivate func bytes(in range: Range<Int>) -> Data {
    let start = count - window.count
    let common = range.clamped(to: start..<count)
    return Data(window.dropFirst(common.lowerBound - start).prefix(common.count))
  }
}
