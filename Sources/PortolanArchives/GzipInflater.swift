internal import CZlib

/// Decompresses gzip members, or a stream in zlib's format, a stretch at a time.
@safe
struct GzipInflater: ~Copyable {
  /// The result of one call.
  struct Step {
    var consumed: Int
    var produced: Int
    var isFinished: Bool
  }

  /// zlib keeps a pointer to the stream, so it may not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Makes zlib tell the formats apart by their headers.
  private static let eitherFormat: Int32 = 32

  /// Fails only if there is not enough memory.
  init?() {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe inflateInit2_(
      stream, MAX_WBITS + Self.eitherFormat, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Makes the stream ready for another member.
  func reset() { unsafe _ = inflateReset(stream) }

  /// Decompresses as much of `input` as fits `output`; `nil` if the bytes are damaged.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> Step? {
    let available = (UInt32(clamping: input.count), UInt32(clamping: output.count))
    unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = available.0
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = available.1
    let code = unsafe inflate(stream, Z_NO_FLUSH)
    // No progress is not damage: the input, or the room for output, has come to its end.
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return nil }
    return unsafe Step(
      consumed: Int(available.0 - stream.pointee.avail_in),
      produced: Int(available.1 - stream.pointee.avail_out), isFinished: code == Z_STREAM_END)
  }
}
