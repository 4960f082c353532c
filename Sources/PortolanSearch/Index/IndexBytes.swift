internal import PortolanFiles

/// The bytes of an index, in a mapped file or in memory.
///
/// Whatever is requested, nothing outside of them is read: what is not there reads as zero.
@safe
struct IndexBytes: Sendable {
  /// Keeps the bytes where they are.
  private enum Owner: Sendable {
    case file(FileMapping)
    case memory(HeapBytes)
    case nothing
  }

  private let owner: Owner
  private nonisolated(unsafe) let base: UnsafeRawBufferPointer

  /// The number of bytes.
  let count: Int

  /// The bytes of a mapped file.
  init(_ mapping: FileMapping) {
    owner = .file(mapping)
    unsafe base = mapping.bytes
    count = unsafe mapping.bytes.count
  }

  /// Bytes in memory.
  init(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else {
      owner = .nothing
      unsafe base = UnsafeRawBufferPointer(start: nil, count: 0)
      count = 0
      return
    }
    let heap = HeapBytes(bytes)
    owner = .memory(heap)
    unsafe base = heap.bytes
    count = bytes.count
  }

  /// The byte at an offset.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 {
    guard offset >= 0, offset < count else { return 0 }
    return unsafe base[offset]
  }

  /// The number in the four bytes at an offset, least significant byte first.
  @inline(__always)
  func word(at offset: Int) -> UInt32 {
    guard offset >= 0, offset <= count - 4 else { return 0 }
    return unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// The number in the eight bytes at an offset, least significant byte first.
  @inline(__always)
  func long(at offset: Int) -> UInt64 {
    guard offset >= 0, offset <= count - 8 else { return 0 }
    return unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// A copy of the bytes in a range, as far as they are there.
  func copy(_ range: Range<Int>) -> [UInt8] {
    let range = range.clamped(to: 0..<count)
    return unsafe Array(base[range])
  }

  /// Appends the bytes in a range to a buffer, as far as they are there.
  func append(_ range: Range<Int>, to buffer: inout [UInt8]) {
    let range = range.clamped(to: 0..<count)
    unsafe buffer.append(contentsOf: base[range])
  }

  /// Reads a number of seven bits a byte and moves behind it.
  @inline(__always)
  func variable(at offset: inout Int) -> UInt32 {
    let first = byte(at: offset)
    offset += 1
    if first < 0x80 { return UInt32(first) }
    var value = UInt32(first & 0x7F)
    var shift: UInt32 = 7
    while shift < 35 {
      let next = byte(at: offset)
      offset += 1
      value |= UInt32(truncatingIfNeeded: UInt64(next & 0x7F) << UInt64(shift))
      if next < 0x80 { break }
      shift += 7
    }
    return value
  }

  /// How the bytes in a range compare with others: below, the same, or above.
  ///
  /// With `asPrefix`, bytes that begin with `other` count as the same.
  func compare(_ range: Range<Int>, with other: Span<UInt8>, asPrefix: Bool = false) -> Int {
    let range = range.clamped(to: 0..<count)
    let common = min(range.count, other.count)
    for index in 0..<common {
      let mine = unsafe base[range.lowerBound + index]
      let theirs = other[index]
      if mine != theirs { return mine < theirs ? -1 : 1 }
    }
    if range.count < other.count { return -1 }
    return asPrefix || range.count == other.count ? 0 : 1
  }

  /// A number that changes with any of the bytes from `start` on.
  ///
  /// Four lanes, so that the multiplications do not wait for each other: an index is checked each
  /// time it is opened.
  func checksum(from start: Int) -> UInt64 {
    let prime: UInt64 = 0x9E37_79B1_85EB_CA87
    var lanes: (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, UInt64(count))
    var offset = start
    while offset <= count - 32 {
      unsafe lanes.0 = Self.mixed(lanes.0, base, offset, prime)
      unsafe lanes.1 = Self.mixed(lanes.1, base, offset + 8, prime)
      unsafe lanes.2 = Self.mixed(lanes.2, base, offset + 16, prime)
      unsafe lanes.3 = Self.mixed(lanes.3, base, offset + 24, prime)
      offset += 32
    }
    while offset < count {
      lanes.0 = (lanes.0 ^ UInt64(byte(at: offset))) &* prime
      lanes.0 ^= lanes.0 >> 29
      offset += 1
    }
    var sum = lanes.0
    for lane in [lanes.1, lanes.2, lanes.3] { sum = (sum ^ (lane ^ lane >> 31)) &* prime }
    return sum ^ sum >> 32
  }

  @inline(__always)
  private static func mixed(
    _ lane: UInt64, _ base: UnsafeRawBufferPointer, _ offset: Int, _ prime: UInt64
  ) -> UInt64 {
    let word = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let mixed = (lane ^ UInt64(littleEndian: word)) &* prime
    return mixed ^ mixed >> 29
  }
}

/// Bytes in memory that stay where they are.
@safe
private final class HeapBytes: Sendable {
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  init(_ contents: [UInt8]) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: contents.count, alignment: 8)
    unsafe buffer.copyBytes(from: contents)
    unsafe bytes = UnsafeRawBufferPointer(buffer)
  }

  deinit { unsafe bytes.deallocate() }
}
