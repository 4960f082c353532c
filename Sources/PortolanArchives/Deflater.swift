internal import CZlib
internal import Foundation

/// Compresses with «deflate», a stretch at a time.
@safe
struct Deflater: ~Copyable {
  /// What one call did.
  struct Step {
    var consumed: Int
    var produced: Int
    var isFinished: Bool
  }

  /// zlib keeps a pointer to the stream, so it may not move.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Fails only for want of memory.
  ///
  /// - Parameters:
  ///   - windowBits: As for zlib's `deflateInit2`: negative for bare bytes, above 16 for gzip.
  ///   - level: From 1, fast, to 9, small.
  init?(windowBits: Int32, level: Int) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe deflateInit2_(
      stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else {
      unsafe stream.deallocate()
      return nil
    }
    unsafe self.stream = stream
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Compresses as much of `input` as fits `output`, and ends the stream when `isLast`.
  func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
  ) -> Step {
    let available = (UInt32(clamping: input.count), UInt32(clamping: output.count))
    let isEnd = isLast && input.count == Int(available.0)
    unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    unsafe stream.pointee.avail_in = available.0
    unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = available.1
    let code = unsafe deflate(stream, isEnd ? Z_FINISH : Z_NO_FLUSH)
    return unsafe Step(
      consumed: Int(available.0 - stream.pointee.avail_in),
      produced: Int(available.1 - stream.pointee.avail_out), isFinished: code == Z_STREAM_END)
  }
}

extension Deflater {
  /// What comes out for `input`; everything that is left when `isLast`.
  func compress(_ input: Data, isLast: Bool) -> Data {
    unsafe input.withUnsafeBytes { input in
      unsafe withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { output in
        var packed = Data()
        var position = 0
        while true {
          let rest = unsafe UnsafeRawBufferPointer(rebasing: input[position...])
          let step = unsafe step(rest, into: output, isLast: isLast)
          unsafe packed.append(
            contentsOf: UnsafeRawBufferPointer(rebasing: output[..<step.produced]))
          position += step.consumed
          // Room that was left over means that nothing more is to come for now.
          if isLast ? step.isFinished : step.produced < output.count { return packed }
        }
      }
    }
  }
}
