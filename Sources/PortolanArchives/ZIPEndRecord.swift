internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The location of an archive's directory, as the record at its end gives it.
///
/// - SeeAlso: [APPNOTE.TXT, 4.3.14 to 4.3.16](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT)
struct ZIPEndRecord {
  /// How many entries the directory has; only the lower 16 bits can be trusted where the archive
  /// is not in the 64-bit form.
  var entryCount: Int
  /// Whether the numbers have 64 bits.
  private(set) var isWide = false
  /// The range of the directory in the source.
  var directory: Range<Int>
  /// How many bytes precede the archive, which its own offsets do not count.
  var shift: Int
  /// Whether no reader can take anything else for the end of the archive.
  private(set) var isPlain = false

  private static let signature: UInt32 = 0x0605_4B50
  private static let size = 22
  private static let locatorSignature: UInt32 = 0x0706_4B50
  private static let locatorSize = 20
  private static let signature64: UInt32 = 0x0606_4B50
  private static let size64 = 56
  private static let longestComment = 0xFFFF

  /// Finds the record; most archives have it, and the whole directory, in the last few KB.
  init(of source: any ByteSource) throws(ArchiveError) {
    for window in [8_192, Self.longestComment + Self.size] {
      let start = max(0, source.count - window)
      let tail = try source.read(start..<source.count)
      let isWidest = start == 0 || window > 8_192
      guard let place = Self.find(in: tail, allowsTrailingBytes: isWidest) else {
        if isWidest { break }
        continue
      }
      let record = LittleEndianReader(tail)
      self = try Self(record, at: place, start: start, source)
      try checkBeginning(of: source)
      isPlain = try isOnlyEnd(record, at: place, of: source)
      return
    }
    guard try Self.beginsWithEntry(source) else { throw .notAnArchive(file: source.name) }
    throw Self.cutOff(source)
  }

  /// Whether the first bytes are those of an entry, as in nearly all archives.
  private static func beginsWithEntry(_ source: any ByteSource) throws(ArchiveError) -> Bool {
    guard source.count >= 4 else { return false }
    return LittleEndianReader(try source.read(0..<4)).uint32(at: 0) == 0x0403_4B50
  }

  private static func cutOff(_ source: any ByteSource) -> ArchiveError {
    .damaged(
      file: source.name, entry: nil,
      reason: "the file is cut off: it begins as a ZIP archive, but its end with the directory is "
        + "missing")
  }

  /// Refuses the archive inside another one whose end is missing.
  ///
  /// What precedes an archive may be a program that unpacks it, but not an entry that its directory
  /// does not list.
  private func checkBeginning(of source: any ByteSource) throws(ArchiveError) {
    guard shift >= 4, try Self.beginsWithEntry(source) else { return }
    throw Self.cutOff(source)
  }

  /// Whether the record ends with the file, precedes nothing that would make it count for less, and is
  /// the only one that may be found.
  private func isOnlyEnd(
    _ tail: LittleEndianReader, at place: Int, of source: any ByteSource
  ) throws(ArchiveError) -> Bool {
    let commentLength = Int(tail.uint16(at: place + 20))
    guard shift == 0, !isWide, directory.upperBound + Self.size + commentLength == source.count,
      entryCount < 0xFFFF, tail.uint16(at: place + 8) == tail.uint16(at: place + 10)
    else { return false }
    // Readers look for the record in the last 64 KB, and for the 64-bit one right before it.
    let reach = Self.longestComment + Self.size + Self.locatorSize
    let range = max(0, source.count - reach)..<source.count
    return try unsafe source.withBytes(in: range) { bytes throws(ArchiveError) in
      unsafe Self.signatures(in: bytes) == [Self.signature]
    }
  }

  /// The signatures of records at the end of an archive, wherever they occur in `bytes`.
  private static func signatures(in bytes: UnsafeRawBufferPointer) -> [UInt32] {
    guard let start = bytes.baseAddress else { return [] }
    var found: [UInt32] = []
    var position = 0
    while position + 4 <= bytes.count,
      let letter = unsafe memchr(start + position, 0x50, bytes.count - position - 3)
    {
      let place = unsafe UnsafeRawPointer(letter) - start
      let value: UInt32 = unsafe bytes.littleEndian(at: place)
      if value == signature || value == locatorSignature { found.append(value) }
      position = place + 1
    }
    return found
  }

  /// The last place in `tail` of a record whose comment ends with the file, or if
  /// there is none and bytes may follow, just the last one.
  private static func find(in tail: Data, allowsTrailingBytes: Bool) -> Int? {
    let reader = LittleEndianReader(tail)
    var loose: Int?
    // An archive that is cut has no record, and all of its end is looked through.
    let bytes = [UInt8](tail)
    for place in stride(from: bytes.count - size, through: 0, by: -1)
    where bytes[place] == 0x50 && reader.uint32(at: place) == signature {
      let end = place + size + Int(reader.uint16(at: place + 20))
      if end == tail.count { return place }
      if end < tail.count, loose == nil { loose = place }
    }
    return allowsTrailingBytes ? loose : nil
  }

  private init(
    _ tail: LittleEndianReader, at place: Int, start: Int, _ source: any ByteSource
  ) throws(ArchiveError) {
    var position = start + place
    var count = UInt64(tail.uint16(at: place + 10))
    var length = UInt64(tail.uint32(at: place + 12))
    var offset = UInt64(tail.uint32(at: place + 16))
    var disks = (UInt32(tail.uint16(at: place + 4)), UInt32(tail.uint16(at: place + 6)))
    if count == 0xFFFF || length == 0xFFFF_FFFF || offset == 0xFFFF_FFFF,
      let wide = try Self.record64(before: position, of: source)
    {
      position = wide.position
      isWide = true
      disks = (wide.record.uint32(at: 16), wide.record.uint32(at: 20))
      count = wide.record.uint64(at: 32)
      length = wide.record.uint64(at: 40)
      offset = wide.record.uint64(at: 48)
    }
    guard disks == (0, 0) else {
      throw .unsupported(file: source.name, entry: "", feature: "several volumes")
    }
    guard length <= UInt64(position), offset <= UInt64(position) - length else {
      throw .damaged(
        file: source.name, entry: nil, reason: "its directory does not lie inside the file")
    }
    entryCount = Int(clamping: count)
    directory = position - Int(length)..<position
    shift = position - Int(length) - Int(offset)
  }

  /// The 64-bit record that the locator before `position` points to, if there is one.
  private static func record64(
    before position: Int, of source: any ByteSource
  ) throws(ArchiveError) -> (record: LittleEndianReader, position: Int)? {
    guard position >= locatorSize + size64 else { return nil }
    let locator = LittleEndianReader(
      try source.read(position - locatorSize..<position))
    guard locator.uint32(at: 0) == locatorSignature else { return nil }
    // The record is right before its locator, or, if bytes precede the archive, not where
    // the locator says.
    for start in [UInt64(position - locatorSize - size64), locator.uint64(at: 8)]
    where start <= UInt64(position - locatorSize - size64) {
      let record = LittleEndianReader(try source.read(Int(start)..<Int(start) + size64))
      if record.uint32(at: 0) == signature64 { return (record, Int(start)) }
    }
    throw .damaged(file: source.name, entry: nil, reason: "its 64-bit end record is missing")
  }
}
