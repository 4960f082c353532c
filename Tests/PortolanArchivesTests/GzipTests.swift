import Foundation
import PortolanArchives
import Testing

@Suite struct GzipTests {
  private static let text = Data(String(repeating: "Kennebec, Penobscot, ", count: 500).utf8)

  @Test(arguments: [
    Data(), Data([7]), text, Data((0..<300_000).map { _ in UInt8.random(in: 0...255) }),
  ])
  func `Compressed data decompresses to the original`(_ data: Data) throws {
    for level in [1, 6, 9] {
      let packed = try Gzip.compress(data, level: level)
      #expect(Gzip.isCompressed(packed))
      #expect(try Gzip.decompress(packed, limit: data.count, name: "t") == data)
    }
  }

  @Test func `The same bytes give the same member, without a date`() throws {
    let packed = try Gzip.compress(Self.text)
    #expect(try packed == Gzip.compress(Self.text))
    #expect(packed.prefix(8) == Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
  }

  @Test func `A stream in zlib's format decompresses too`() throws {
    let stream = Data([0x78, 1, 1, 2, 0, 0xFD, 0xFF, 0x1A, 0, 0, 0x36, 0, 0x1B])
    #expect(try Gzip.decompress(stream, limit: 2, name: "t") == Data([0x1A, 0]))
    #expect(throws: ArchiveError.self) {
      try Gzip.decompress(stream.dropLast() + [0], limit: 2, name: "t")
    }
  }

  @Test func `Members follow one another, and padding is ignored`() throws {
    let packed = try Gzip.compress(Data("a".utf8)) + Gzip.compress(Data("b".utf8)) + Data(count: 9)
    #expect(try Gzip.decompress(packed, limit: 2, name: "t") == Data("ab".utf8))
  }

  @Test(arguments: [1, 40, 10_500, 20_000])
  func `The beginning of what is compressed is there without the rest`(_ count: Int) throws {
    let packed = try Gzip.compress(Self.text)
    #expect(Gzip.beginning(of: packed, count: count) == Self.text.prefix(count))
    #expect(Gzip.beginning(of: Data([0x1F, 0x8B, 8, 0, 0x77, 0x77]), count: count).isEmpty)
    #expect(Gzip.beginning(of: Data(), count: count).isEmpty)
  }

  @Test func `A bomb stops at the limit`() throws {
    let bomb = try Gzip.compress(Data(count: 50_000_000))
    #expect(throws: ArchiveError.tooLarge(file: "t", entry: "t", limit: 1_000_000)) {
      try Gzip.decompress(bomb, limit: 1_000_000, name: "t")
    }
  }

  @Test(arguments: [-1, 0, 1]) func `The limit is exact`(_ difference: Int) throws {
    let packed = try Gzip.compress(Self.text)
    let limit = Self.text.count + difference
    if difference < 0 {
      #expect(throws: ArchiveError.self) { try Gzip.decompress(packed, limit: limit, name: "t") }
    } else {
      #expect(try Gzip.decompress(packed, limit: limit, name: "t") == Self.text)
    }
  }

  @Test func `Every prefix is refused`() throws {
    let packed = try Gzip.compress(Self.text)
    for count in 0..<packed.count {
      #expect(throws: ArchiveError.self) {
        try Gzip.decompress(packed.prefix(count), limit: 1 << 20, name: "t")
      }
    }
  }

  @Test func `A flipped bit gives an error or the same bytes`() throws {
    let packed = try Gzip.compress(Self.text)
    for place in packed.indices {
      var damaged = packed
      damaged[place] ^= 0x10
      let found = Result { () throws(ArchiveError) in
        try Gzip.decompress(damaged, limit: 1 << 20, name: "t")
      }
      if case .success(let found) = found { #expect(found == Self.text) }
    }
  }
}
