public import Foundation

/// Bytes in memory.
public struct MemoryByteSource: ByteSource {
  public let name: String
  private let data: Data

  /// Wraps `data`; `name` is used in messages.
  public init(_ data: Data, name: String) {
    self.data = data
    self.name = name
  }

  public var count: Int { data.count }

  public func read(_ range: Range<Int>) throws(ArchiveError) -> Data {
    try check(range)
    // A slice of data counts from where it was cut.
    let start = data.startIndex
    return data.subdata(in: start + range.lowerBound..<start + range.upperBound)
  }

  public func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    try check(range)
    return try unsafe data.lend { bytes throws(ArchiveError) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
  }
}
