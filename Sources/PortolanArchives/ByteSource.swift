public import Foundation

/// Bytes that can be read by range: a file, a part of one, memory.
///
/// Any thread may read at any time.
public protocol ByteSource: Sendable {
  /// The file or address, for messages.
  var name: String { get }

  /// The number of bytes.
  var count: Int { get }

  /// A copy of the bytes in `range`, all of them, counted from 0.
  ///
  /// - Throws: ``ArchiveError/truncated(file:offset:)`` if the source ends before the range does.
  func read(_ range: Range<Int>) throws(ArchiveError) -> Data

  /// Lends the bytes in `range` to `body`, without copying them where they are in memory already.
  ///
  /// They are gone when `body` returns, and may start at any address.
  ///
  /// - Throws: ``ArchiveError/truncated(file:offset:)`` if the source ends before the range does,
  ///   and whatever `body` throws.
  func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result
}

extension ByteSource {
  /// Reads the bytes, then lends the copy.
  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try unsafe read(range).lend(body)
  }

  /// Refuses a range that does not lie inside the source.
  func check(_ range: Range<Int>) throws(ArchiveError) {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw .truncated(file: name, offset: range.upperBound)
    }
  }
}

extension Data {
  /// As `withUnsafeBytes`, which does not know typed errors on this platform.
  func lend<Result>(
    _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    let result = unsafe withUnsafeBytes { bytes in
      Swift.Result { () throws(ArchiveError) in try unsafe body(bytes) }
    }
    return try result.get()
  }
}
