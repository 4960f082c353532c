internal import CDeflate

/// Decompresses whole zlib streams, through libdeflate.
@safe
struct Inflater: ~Copyable {
  private let decompressor: OpaquePointer

  /// `nil` if there is not enough memory.
  init?() {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else { return nil }
    unsafe self.decompressor = decompressor
  }

  deinit { unsafe libdeflate_free_decompressor(decompressor) }

  /// Unpacks a stream that is known to hold as many bytes as the target takes.
  ///
  /// - Returns: Whether it did, and was sound.
  func inflate(_ stream: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool
  {
    let result = unsafe libdeflate_zlib_decompress(
      decompressor, stream.baseAddress, stream.count, target.baseAddress, target.count, nil)
    return result == LIBDEFLATE_SUCCESS
  }
}
