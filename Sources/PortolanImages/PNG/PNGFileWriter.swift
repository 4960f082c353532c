internal import CDeflate
internal import Foundation

/// Assembles a PNG file from its chunks.
struct PNGFileWriter {
  private(set) var data = Data(PNGHeader.mark)

  /// Begins a file whose samples have 8 bits.
  init(width: Int, height: Int, _ kind: PNGHeader.ColorKind) {
    let sides = [width, height].flatMap { side in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) }
    }
    append(PNGChunks.Name.header, sides + [8, kind.rawValue, 0, 0, 0])
  }

  /// Adds a chunk.
  mutating func append(_ name: UInt32, _ contents: [UInt8]) {
    data += Self.chunk(name, contents)
  }

  /// Adds a chunk that is made already.
  mutating func append(_ chunk: [UInt8]) { data += chunk }

  /// Adds the last chunk.
  mutating func finish() { append(PNGChunks.Name.end, []) }

  /// A chunk with its length, type and checksum.
  static func chunk(_ type: UInt32, _ contents: [UInt8]) -> [UInt8] {
    var chunk: [UInt8] = []
    chunk.reserveCapacity(contents.count + 12)
    chunk += bytes(of: UInt32(contents.count))
    chunk += bytes(of: type)
    chunk += contents
    let checksum = unsafe chunk.withUnsafeBytes { bytes in
      unsafe libdeflate_crc32(0, bytes.baseAddress.map { unsafe $0 + 4 }, bytes.count - 4)
    }
    chunk += bytes(of: checksum)
    return chunk
  }

  /// A number in the byte order of PNG files, big-endian.
  static func bytes(of number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
