import Testing

@testable import PortolanSearch

@Suite struct SearchTextTests {
  private func words(_ text: String) -> [String] {
    SearchText(text).words.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("123 Main St.", ["123", "main", "st"]), ("O'Brien’s Café", ["obriens", "cafe"]),
    ("Saint-Étienne", ["saint", "etienne"]), ("GROSSE STRAßE", ["grosse", "strasse"]),
    ("Łódź", ["lodz"]), ("Ærøskøbing", ["aeroskobing"]), ("  ,;  ", []),
    ("ул. Ленина", ["ул", "ленина"]), ("東京駅", ["東", "京", "駅"]), ("１２ Ｍａｉｎ", ["12", "main"]),
    ("12B", ["12b"]), ("'tis", ["tis"]), ("İstanbul", ["istanbul"]), ("", []),
    ("١٢٣ شارع", ["123", "شارع"]), ("१२ मार्ग", ["12", "मार्ग"]), ("محطة", ["محطه"]),
    ("ヒロシマ", ["ひ", "ろ", "し", "ま"]), ("ถนน ๑๒", ["ถ", "น", "น", "12"]),
    ("ولی\u{200C}عصر", ["وليعصر"]), ("Haupt\u{AD}straße", ["hauptstrasse"]), ("\u{200D}", []),
    ("ផ្លូវ១២៣", ["ផ្", "លូ", "វ", "123"]),
  ])
  func `Words are found without case, accents and signs`(_ text: String, _ expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func `Marks that are letters of their script stay`() {
    #expect(words("हिन्दी") == ["हिन्दी"])
  }

  @Test func `Pieces make up the text again`() {
    for text in ["12 Main St, Springfield", "  (東京) — é!", "", "''", "a'b'", "\u{0301}x"] {
      let bytes = Array(text.utf8)
      var joined: [UInt8] = []
      WordBreaker.pieces(of: bytes.span) { joined += bytes[$0.range] }
      #expect(joined == bytes)
    }
  }

  @Test func `Bytes that are no text are cut without harm`() {
    var numbers = SeededNumbers(3)
    for _ in 0..<2000 {
      let bytes = (0..<20).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      var joined: [UInt8] = []
      WordBreaker.pieces(of: bytes.span) { joined += bytes[$0.range] }
      #expect(joined == bytes)
    }
  }

  @Test func `Texts of any length are read as far as they can matter`() {
    #expect(SearchText(String(repeating: "a", count: 10_000)).words.map(\.count) == [64])
    #expect(SearchText(String(repeating: "é ", count: 10_000)).words.count == 12)
    #expect(SearchText(String(repeating: "京", count: 10_000)).words.count == 48)
    // Cut where letters meet digits, a single word would be 64.
    let readings = SearchText(String(repeating: "a1", count: 5000)).respaced
    #expect(readings.map(\.words.count).max() == 48)
  }
}
