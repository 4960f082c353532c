import Testing

@testable import PortolanGeodatabase

@Suite struct VarintTests {
  @Test(
    arguments: [
      (0, [0x00]), (-1, [0x41]), (1, [0x01]), (63, [0x3F]), (64, [0x80, 0x01]),
      (-64, [0xC0, 0x01]),
      (8191, [0xBF, 0x7F]), (8192, [0x80, 0x80, 0x01]),
      (77_985_800_141, [0x8D, 0xFF, 0x86, 0x85, 0xC5, 0x04]),
      (-156_039, [0xC7, 0x86, 0x13]),
    ] as [(Int64, [UInt8])])
  func `A number is written and read`(_ value: Int64, _ bytes: [UInt8]) throws {
    var written: [UInt8] = []
    written.appendVarint(value)
    #expect(written == bytes)
    #expect(try read(bytes) == value)
  }

  @Test(arguments: 0..<62) func `Every power of two comes back`(_ exponent: Int) throws {
    for value in [1 << exponent, (1 << exponent) - 1, -(1 << exponent)] as [Int64] {
      var bytes: [UInt8] = []
      bytes.appendVarint(value)
      #expect(try read(bytes) == value)
      #expect(throws: GeometryBlobError.self) { try read(Array(bytes.dropLast())) }
    }
  }

  @Test func `A number of more than nine bytes is refused`() {
    #expect(throws: GeometryBlobError.self) {
      try read(Array(repeating: 0x80, count: 9) + [0x01])
    }
  }

  private func read(_ bytes: [UInt8]) throws -> Int64 {
    try unsafe bytes.withUnsafeBytes { buffer in
      var reader = unsafe VarintReader(buffer, in: 0..<buffer.count)
      return try reader.next()
    }
  }
}
