import PortolanFiles
import Testing

@Suite struct CodePageTests {
  private static let texts: [(String, [UInt8], String)] = [
    ("1251", [0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0], "Москва"), ("CP1251", [0xCC], "М"),
    ("ANSI 1251", [0xCC], "М"), ("windows-1251", [0xCC], "М"), ("OEM 866", [0x8C], "М"),
    ("KOI8-R", [0xED], "М"), ("20866", [0xED], "М"), ("ISO-8859-2", [0xA3, 0xF3], "Łó"),
    ("88592", [0xA3], "Ł"), ("28592", [0xA3], "Ł"), ("ISO 8859-15", [0xA4], "€"),
    ("ISO-8859-1", [0x80], "€"), ("GBK", [0xB1, 0xB1, 0xBE, 0xA9], "北京"),
    ("936", [0xB1, 0xB1], "北"), ("Big5", [0xA5, 0x78], "台"), ("949", [0xBC, 0xAD], "서"),
    ("Shift_JIS", [0x93, 0x8C, 0x8B, 0x9E], "東京"), ("cp932", [0x93, 0x8C], "東"),
    ("EUC-KR", [0xBC, 0xAD], "서"), ("1252", [0x61, 0x81, 0x7A], "a\u{FFFD}z"),
    ("GBK", [0x61, 0xB1], "a\u{FFFD}"), ("1253", [], ""),
    // The last letter of a text, and one before a byte that stands for nothing, may get a mark.
    ("1255", [0xE0], "א"), ("1255", [0xE0, 0xD9, 0xE0], "א\u{FFFD}א"),
    ("1258", [0xD0, 0x61], "Đa"),
  ]

  @Test(arguments: texts)
  func `Encodings are known by the names and numbers that files have for them`(
    _ label: String, _ bytes: [UInt8], _ text: String
  ) throws {
    #expect(try #require(CodePage(named: label)).text(bytes) == text)
  }

  @Test(arguments: [
    "", "nonsense", "99999999", "../../nonsense", "UTF-8//TRANSLIT", "ANSI",
    String(repeating: "1", count: 10_000),
  ])
  func `A name of no encoding is none`(_ label: String) {
    #expect(CodePage(named: label) == nil)
  }
}
