internal import Foundation
internal import PortolanArchives

/// The beginning of a side index: what it was made of, and how it is laid out.
///
/// - SeeAlso: Docs/SIDE-INDEX.md
struct SideIndexHeader: Hashable, Sendable {
  let source: SideIndexSource
  /// The table, as a key.
  let table: String
  /// The path of the file that it was made of, by which indexes of files that are gone are found.
  let path: String
  /// The grid of the coordinates in the shapes.
  let precision: CoordinatePrecision
  let rowCount: Int
  /// The bytes of the whole index.
  let fileLength: Int

  private static let magic = Array("Portolan".utf8)
  private static let version: UInt32 = 1
  /// Where the names begin.
  private static let fixedLength = 32 + 8 * SideIndexSource.count + 24
  private static let checksumLength = 4
}

// MARK: - Writing

extension SideIndexHeader {
  /// The bytes of a header with such names.
  static func length(table: String, path: String) -> Int {
    let bytes = fixedLength + 8 + table.utf8.count + path.utf8.count + checksumLength
    return (bytes + SideIndexLayout.unit - 1) / SideIndexLayout.unit * SideIndexLayout.unit
  }

  /// The header as it stands in the file.
  var data: Data {
    let length = Self.length(table: table, path: path)
    var bytes = Self.magic
    bytes.append(Self.version)
    bytes.append(UInt32(length))
    bytes.append(UInt64(fileLength))
    bytes.append(UInt64(rowCount))
    for number in source.numbers { bytes.append(number) }
    for number in [precision.xOrigin, precision.yOrigin, precision.xyScale] {
      bytes.append(number.bitPattern)
    }
    for name in [table, path] {
      bytes.append(UInt32(name.utf8.count))
      bytes += Array(name.utf8)
    }
    bytes += [UInt8](repeating: 0, count: length - Self.checksumLength - bytes.count)
    bytes.append(Self.checksum(bytes[...]))
    return Data(bytes)
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum = CRC32()
    unsafe bytes.withUnsafeBytes { unsafe checksum.add($0) }
    return checksum.value
  }
}

extension [UInt8] {
  /// Appends a number, lowest byte first.
  mutating func append<Number: FixedWidthInteger>(_ number: Number) where Number: UnsignedInteger {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }
}

// MARK: - Reading

extension SideIndexHeader {
  /// Reads the header of an index; `nil` for whatever is none, of another version or damaged.
  init?(_ bytes: [UInt8], fileLength actual: Int, comparingChecksums: Bool = true) {
    var reader = Reader(bytes: bytes[...])
    guard bytes.starts(with: Self.magic), reader.skip(Self.magic.count),
      reader.number(4) == UInt64(Self.version), let length = reader.number(4),
      length <= bytes.count, length >= Self.fixedLength + 8 + Self.checksumLength
    else { return nil }
    let body = bytes[..<(Int(length) - Self.checksumLength)]
    var ending = Reader(bytes: bytes[body.endIndex...])
    guard !comparingChecksums || ending.number(4) == UInt64(Self.checksum(body)) else {
      return nil
    }
    guard let fileLength = reader.number(8), fileLength == UInt64(actual),
      let rowCount = reader.number(8), rowCount <= UInt64(SideIndexLayout.mostRows),
      let numbers = reader.numbers(SideIndexSource.count),
      let grid = reader.numbers(3)?.map(Double.init(bitPattern:)),
      let table = reader.name(), let path = reader.name()
    else { return nil }
    source = SideIndexSource(numbers: numbers)
    precision = CoordinatePrecision(xOrigin: grid[0], yOrigin: grid[1], xyScale: grid[2])
    self.table = table
    self.path = path
    self.rowCount = Int(rowCount)
    self.fileLength = actual
    guard precision.isValid, Int(length) == Self.length(table: table, path: path) else {
      return nil
    }
  }

  /// Takes numbers and names from the front of bytes.
  private struct Reader {
    var bytes: ArraySlice<UInt8>

    mutating func skip(_ count: Int) -> Bool {
      guard bytes.count >= count else { return false }
      bytes = bytes.dropFirst(count)
      return true
    }

    mutating func number(_ length: Int) -> UInt64? {
      let part = bytes.prefix(length)
      guard skip(length) else { return nil }
      return part.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func numbers(_ count: Int) -> [UInt64]? {
      var numbers: [UInt64] = []
      for _ in 0..<count {
        guard let number = number(8) else { return nil }
        numbers.append(number)
      }
      return numbers
    }

    mutating func name() -> String? {
      guard let length = number(4), length <= bytes.count else { return nil }
      let part = bytes.prefix(Int(length))
      bytes = bytes.dropFirst(Int(length))
      return String(validating: part, as: UTF8.self)
    }
  }
}
