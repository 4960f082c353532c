internal import CDeflate
internal import Foundation

/// Assembles a PNG file from its parts.
struct PNGFileWriter {
  private(set) var data = Data(PNGHeader.mark)

  /// Begins a file whose samples have 8 bits.
  init(width: Int, height: Int, _ kind: PNGHeader.ColorKind) {
    let sides = [width, height].flatMap { side in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    }
    append(PNGChunks.Name.header, sides + [8, kind.rawValue, 0, 0, 0])
  }

  /// Adds a part.
  mutating func append(_ name: UInt32, _ contents: [UInt8]) {
    data += Self.part(name, contents)
  }

  /// Adds a part that is made already.
  mutating func append(_ part: [UInt8]) { data += part }

  /// Adds the last part.
  mutating func finish() { append(PNGChunks.Name.end, []) }

  /// A part with its length, name and sum.
  static func part(_ name: UInt32, _ contents: [UInt8]) -> [UInt8] {
    var part: [UInt8] = []
    part.reserveCapacity(contents.count + 12)
    part += bytes(of: UInt32(contents.count))
    part += bytes(of: name)
    part += contents
    let sum = unsafe part.withUnsafeBytes { bytes in
      unsafe libdeflate_crc32(0, bytes.baseAddress.map { unsafe $0 + 4 }, bytes.count - 4)
    }
    part += bytes(of: sum)
    return part
  }

  /// A number in the order of PNG files.
  static func bytes(of number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
