internal import Foundation

/// One entry of an archive that is being written, in the forms in which it stands in the file.
///
/// - SeeAlso: [APPNOTE.TXT, 4.3](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT)
struct ZIPLocalRecord {
  let name: String
  let method: ZIPWriter.Method
  let date: ZIPDate
  /// Where the header stands in the file.
  let offset: Int
  /// Whether the sizes in the header take 64 bits.
  let isWide: Bool
  var checksum = CRC32()
  var size = 0
  var compressedSize = 0

  /// The header before the content; its length does not depend on the sizes.
  var header: Data {
    var bytes = Data()
    bytes.append(UInt32(0x0403_4B50))
    bytes.append(version(isWide: isWide))
    appendCommon(to: &bytes, isWide: isWide)
    bytes.append(UInt16(isWide ? 20 : 0))
    bytes.append(contentsOf: name.utf8)
    if isWide { bytes.appendWide([size, compressedSize]) }
    return bytes
  }

  /// The entry in the directory.
  func directoryRecord(wideLimit: Int) -> Data {
    let isFar = offset >= wideLimit
    let wide: [Int] = (isWide ? [size, compressedSize] : []) + (isFar ? [offset] : [])
    var bytes = Data()
    bytes.append(UInt32(0x0201_4B50))
    // Made on Unix, so that the file mode below means something.
    bytes.append(UInt16(3 << 8) | version(isWide: !wide.isEmpty))
    bytes.append(version(isWide: !wide.isEmpty))
    appendCommon(to: &bytes, isWide: isWide)
    bytes.append(UInt16(wide.isEmpty ? 0 : 4 + 8 * wide.count))
    // No comment, first volume, no internal attributes.
    bytes.append(contentsOf: [0, 0, 0, 0, 0, 0])
    bytes.append(UInt32(0o100644) << 16)
    bytes.append(isFar ? UInt32.max : UInt32(offset))
    bytes.append(contentsOf: name.utf8)
    if !wide.isEmpty { bytes.appendWide(wide) }
    return bytes
  }

  /// What both headers have: flags, method, time, checksum, sizes, length of the name.
  private func appendCommon(to bytes: inout Data, isWide: Bool) {
    let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
    bytes.append(UInt16(isASCII ? 0 : 0x800))
    bytes.append(method.number)
    bytes.append(date.time)
    bytes.append(date.day)
    bytes.append(checksum.value)
    bytes.append(isWide ? UInt32.max : UInt32(compressedSize))
    bytes.append(isWide ? UInt32.max : UInt32(size))
    bytes.append(UInt16(name.utf8.count))
  }

  /// The version of the format that a reader needs: 4.5 for 64 bits, else 2.0.
  private func version(isWide: Bool) -> UInt16 { isWide ? 45 : 20 }

  /// What stands behind the directory, in both forms where 32 bits do not do.
  static func endRecord(entryCount: Int, directory: Range<Int>, wideLimit: Int) -> Data {
    let isWide =
      entryCount >= min(wideLimit, 0xFFFF) || directory.count >= wideLimit
      || directory.lowerBound >= wideLimit
    var bytes = Data()
    if isWide {
      bytes.append(UInt32(0x0606_4B50))
      bytes.append(UInt64(44))
      bytes.append(UInt16(3 << 8 | 45))
      bytes.append(UInt16(45))
      bytes.append(UInt64(0))
      bytes.append(UInt64(entryCount))
      bytes.append(UInt64(entryCount))
      bytes.append(UInt64(directory.count))
      bytes.append(UInt64(directory.lowerBound))
      bytes.append(UInt32(0x0706_4B50))
      bytes.append(UInt32(0))
      bytes.append(UInt64(directory.upperBound))
      bytes.append(UInt32(1))
    }
    bytes.append(UInt32(0x0605_4B50))
    bytes.append(UInt32(0))
    bytes.append(isWide ? UInt16.max : UInt16(entryCount))
    bytes.append(isWide ? UInt16.max : UInt16(entryCount))
    bytes.append(isWide ? UInt32.max : UInt32(directory.count))
    bytes.append(isWide ? UInt32.max : UInt32(directory.lowerBound))
    bytes.append(UInt16(0))
    return bytes
  }
}

extension Data {
  /// Appends a number, lowest byte first.
  fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }

  /// Appends the extra field of 64-bit numbers.
  fileprivate mutating func appendWide(_ numbers: [Int]) {
    append(UInt16(1))
    append(UInt16(8 * numbers.count))
    for number in numbers { append(UInt64(number)) }
  }
}
