public import Foundation

/// A window onto another source: a stored entry of an archive, for example.
public struct SubrangeByteSource: ByteSource {
  public let name: String
  private let base: any ByteSource
  private let range: Range<Int>

  /// Shows `range` of `base` as a source of its own.
  ///
  /// - Parameters:
  ///   - base: The whole.
  ///   - range: The part, in bytes of `base`.
  ///   - name: What messages call the part; the name of `base` by default.
  /// - Throws: ``ArchiveError/truncated(file:offset:)`` if `base` ends before the range does.
  public init(
    _ base: any ByteSource, range: Range<Int>, name: String? = nil
  ) throws(ArchiveError) {
    try base.check(range)
    self.base = base
    self.range = range
    self.name = name ?? base.name
  }

  public var count: Int { range.count }

  public func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    try check(range)
    return try base.read(shifted(range))
  }

  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try check(range)
    return try unsafe base.withBytes(in: shifted(range), body)
  }

  private func shifted(_ part: Range<Int>) -> Range<Int> {
    part.lowerBound + range.lowerBound..<part.upperBound + range.lowerBound
  }
}
