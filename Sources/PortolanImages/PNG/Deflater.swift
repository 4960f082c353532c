internal import CDeflate

/// Compresses bytes as whole zlib streams, small rather than fast, through libdeflate.
@safe
package struct Deflater: ~Copyable {
  private let compressor: OpaquePointer

  /// `level` is from 1, the fastest, to 12; `nil` if there is not enough memory.
  package init?(level: Int) {
    guard let compressor = unsafe libdeflate_alloc_compressor(Int32(level)) else { return nil }
    unsafe self.compressor = compressor
  }

  deinit { unsafe libdeflate_free_compressor(compressor) }

  /// Packs bytes as a zlib stream.
  package func deflate(_ bytes: [UInt8]) -> [UInt8] {
    let bound = unsafe libdeflate_zlib_compress_bound(compressor, bytes.count)
    return unsafe [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe count = libdeflate_zlib_compress(
          compressor, bytes.baseAddress, bytes.count, buffer.baseAddress, buffer.count)
      }
    }
  }
}
