public import Foundation

/// Bytes that can be read by range: a file, a part of one, memory.
public protocol ByteSource: Sendable {
  /// The file or address, for messages.
  var name: String { get }

  /// The number of bytes.
  var count: Int { get }

  /// The bytes in `range`, all of them.
  ///
  /// - Throws: ``ArchiveError/truncated(file:offset:)`` if the source ends before the range does.
  func read(_ range: Range<Int>) throws(ArchiveError) -> Data
}
