import Testing

@testable import PortolanSearch

@Suite struct DamagedIndexTests {
  private func bytes() throws -> [UInt8] {
    var builder = SearchIndexBuilder()
    for number in 0..<300 { builder.add("\(number) Main St", source: 0, objectID: Int64(number)) }
    return try #require(builder.finished(origin: [7]))
  }

  @Test func `An index with any byte changed is refused`() throws {
    let sound = try bytes()
    for place in stride(from: 0, to: sound.count, by: 7) {
      var changed = sound
      changed[place] ^= 0x10
      // Bytes 12 to 15 of the header mean nothing.
      guard !(12..<16).contains(place) else { continue }
      #expect(throws: SearchError.damagedIndex(file: "test"), "byte \(place)") {
        try SearchIndex(IndexBytes(changed), name: "test")
      }
    }
  }

  @Test func `An index that is cut anywhere is refused`() throws {
    let sound = try bytes()
    for count in stride(from: 0, to: sound.count, by: 13) {
      #expect(throws: SearchError.damagedIndex(file: "test")) {
        try SearchIndex(IndexBytes(Array(sound[..<count])), name: "test")
      }
    }
  }

  /// A hostile writer could make wrong contents under a right checksum.
  @Test func `Wrong numbers under a right checksum lead nowhere else`() throws {
    let sound = try bytes()
    var numbers = SeededNumbers(11)
    for _ in 0..<400 {
      var changed = sound
      for _ in 0..<4 {
        let place = Int.random(in: IndexLayout.headerSize..<sound.count, using: &numbers)
        changed[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      let sum = IndexBytes(changed).checksum(from: 32)
      for index in 0..<8 {
        changed[24 + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index))
      }
      let index = try SearchIndex(IndexBytes(changed), name: "test")
      for text in ["main st", "1", "12 main", "mian", "s"] {
        for key in index.matches(of: SearchText(text), limit: 12) ?? [] {
          _ = index.label(of: key.document)
          _ = index.origin(of: key.document)
        }
      }
    }
  }
}
