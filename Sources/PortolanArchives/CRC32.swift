internal import CZlib

/// The checksum that ZIP and gzip keep of their content.
package struct CRC32 {
  /// The checksum of what was added so far.
  package private(set) var value: UInt32 = 0

  /// The checksum of nothing yet.
  package init() {}

  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    value = unsafe UInt32(
      truncatingIfNeeded: crc32_z(
        UInt(value), bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
  }
}
