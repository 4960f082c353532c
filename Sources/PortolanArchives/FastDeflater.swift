internal import CISAL

/// Compresses bytes fast rather than small, through ISA-L, in parts that are compressed in
/// parallel.
///
/// A part takes nothing from the one before, so that the bytes do not depend on who compresses what.
@safe
package struct FastDeflater: ~Copyable {
  /// The header of a zlib stream.
  package static let opening: [UInt8] = [0x78, 0x01]
  /// The end of the compressed bytes: a final block that is empty.
  package static let ending: [UInt8] = [0x03, 0x00]
  private static let level = 1
  /// What its tables take at this level, as the library's header recommends.
  private static let memory = 1 << 19

  private let stream: UnsafeMutablePointer<isal_zstream>
  private let tables: UnsafeMutablePointer<UInt8>

  package init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: isal_zstream())
    unsafe tables = .allocate(capacity: Self.memory)
    unsafe tables.initialize(repeating: 0, count: Self.memory)
  }

  deinit {
    unsafe stream.deallocate()
    unsafe tables.deallocate()
  }

  /// Packs bytes as a part of a stream; `nil` if the library fails.
  package func part(_ bytes: [UInt8]) -> [UInt8]? {
    unsafe isal_deflate_init(stream)
    // What the part before left in the tables would change what is found to repeat.
    unsafe tables.update(repeating: 0, count: Self.memory)
    unsafe stream.pointee.level = UInt32(Self.level)
    unsafe stream.pointee.level_buf = tables
    unsafe stream.pointee.level_buf_size = UInt32(Self.memory)
    unsafe stream.pointee.flush = UInt16(FULL_FLUSH)
    // Bytes that cannot be compressed grow by five in each 64 KiB.
    let bound = bytes.count + bytes.count / 1024 + 512
    var isWhole = false
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        // The library only reads what it compresses.
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.next_out = buffer.baseAddress
        unsafe stream.pointee.avail_out = UInt32(buffer.count)
        let status = unsafe isal_deflate(stream)
        unsafe isWhole =
          status == COMP_OK && stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0
        unsafe count = isWhole ? Int(stream.pointee.total_out) : 0
      }
    }
    return isWhole ? compressed : nil
  }
}
