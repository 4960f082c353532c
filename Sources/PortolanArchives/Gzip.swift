internal import CZlib
public import Foundation

/// The gzip format, in which vector tiles are stored.
///
/// - SeeAlso: [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)
public enum Gzip {
  /// Whether `data` begins as a gzip member does.
  public static func isCompressed(_ data: Data) -> Bool {
    data.starts(with: [0x1F, 0x8B, 8])
  }

  /// Unpacks all members of `data`, one after another, and checks their checksums.
  ///
  /// - Parameters:
  ///   - data: One or more gzip members, or a stream in zlib's format.
  ///   - limit: How many bytes the result may have; more is ``ArchiveError/tooLarge(file:entry:limit:)``.
  ///   - name: What messages call the source.
  /// - Returns: The content.
  /// - Throws: ``ArchiveError`` if the data is damaged, incomplete or too large.
  public static func decompress(
    _ data: Data, limit: Int, name: String
  ) throws(ArchiveError) -> Data {
    try unsafe data.lend { bytes throws(ArchiveError) in
      try unsafe decompress(bytes, limit: limit, name: name)
    }
  }

  /// The first bytes of what `data` holds, as far as they can be decompressed.
  ///
  /// - Parameters:
  ///   - data: A gzip member, or its beginning.
  ///   - count: How many bytes at most.
  /// - Returns: The bytes; none if the data is damaged.
  public static func beginning(of data: Data, count: Int) -> Data {
    guard count > 0, let inflater = GzipInflater() else { return Data() }
    var beginning = Data(count: count)
    let produced = unsafe data.withUnsafeBytes { input in
      unsafe beginning.withUnsafeMutableBytes { room in
        unsafe inflater.step(input, into: room)?.produced ?? 0
      }
    }
    return beginning.prefix(produced)
  }

  /// Packs `data` as one member; the same bytes give the same member.
  ///
  /// - Parameters:
  ///   - data: The content.
  ///   - level: From 1, fast, to 9, small.
  /// - Returns: The member.
  /// - Throws: ``ArchiveError/unwritable(file:reason:)`` if there is not enough memory.
  public static func compress(_ data: Data, level: Int = 6) throws(ArchiveError) -> Data {
    guard let member = unsafe data.withUnsafeBytes({ unsafe member(of: $0, level: level) }) else {
      throw .unwritable(file: "gzip", reason: "there is not enough memory")
    }
    return member
  }

  /// All of `bytes` as one member, in one call; `nil` if there is not enough memory.
  private static func member(of bytes: UnsafeRawBufferPointer, level: Int) -> Data? {
    // zlib keeps a pointer to the stream, so it may not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    defer { unsafe stream.deallocate() }
    let code = unsafe deflateInit2_(
      stream, Int32(min(max(level, 1), 9)), Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
    defer { unsafe _ = deflateEnd(stream) }
    let capacity = unsafe Int(deflateBound(stream, UInt(bytes.count)))
    guard capacity <= Int(UInt32.max) else { return nil }
    var member = Data(count: capacity)
    let isWhole = unsafe member.withUnsafeMutableBytes { output in
      unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(
        mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
      unsafe stream.pointee.avail_in = UInt32(bytes.count)
      unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe stream.pointee.avail_out = UInt32(output.count)
      return unsafe deflate(stream, Z_FINISH) == Z_STREAM_END
    }
    guard isWhole else { return nil }
    member.count = unsafe capacity - Int(stream.pointee.avail_out)
    return member
  }

  private static func decompress(
    _ input: UnsafeRawBufferPointer, limit: Int, name: String
  ) throws(ArchiveError) -> Data {
    guard let inflater = GzipInflater(),
      var output = GrowingBuffer(estimate: input.count &* 4, limit: limit)
    else { throw .unreadable(file: name, reason: "there is not enough memory") }
    var position = 0
    while let spare = unsafe output.spareCapacity() {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: input[position...])
      guard let step = unsafe inflater.step(rest, into: spare) else {
        throw .damaged(file: name, entry: nil, reason: "its gzip data is wrong")
      }
      position += step.consumed
      output.advance(by: step.produced)
      if step.isFinished && !output.isTooLong {
        // What follows the last member, such as padding, is left alone.
        guard position < input.count, unsafe input[position] == 0x1F else { return output.take() }
        inflater.reset()
      } else if step.consumed == 0 && step.produced == 0 {
        throw .truncated(file: name, offset: position)
      }
    }
    throw .tooLarge(file: name, entry: name, limit: limit)
  }
}
