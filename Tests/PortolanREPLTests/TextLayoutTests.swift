import PortolanApp
import Testing

@testable import PortolanREPL

@Suite struct TextLayoutTests {
  private static let table = TextTable(
    [.init("name"), .init("features", .right), .init("kind")],
    rows: [["Roads", "12", "line"], ["Trails of the \u{1B}[2J north", "1234567", ""]])

  @Test func `Columns are as wide as their cells where there is room`() {
    #expect(
      Self.table.lines(width: nil) == [
        "name                      features  kind",
        "Roads                           12  line",
        "Trails of the  [2J north   1234567",
      ])
  }

  @Test func `The widest column gives way where there is none`() {
    let lines = Self.table.lines(width: 30)
    #expect(lines.allSatisfy { $0.count <= 30 })
    #expect(lines[2] == "Trails of the…   1234567")
    #expect(Self.table.lines(width: 1).count == 3)
    #expect(TextTable([]).lines(width: 10) == [""])
  }

  @Test(
    arguments: [
      (nil, "  --to FILE  Where it is written, whole or not at all.\n  -x         No.\n"),
      (80, "  --to FILE  Where it is written, whole or not at all.\n  -x         No.\n"),
      (
        40,
        "  --to FILE  Where it is written, whole\n             or not at all.\n  -x         No.\n"
      ),
      (
        30,
        "  --to FILE\n      Where it is written,\n      whole or not at all.\n  -x\n      No.\n"
      ),
    ] as [(Int?, String)])
  func `The meaning of an option is broken beside its name, else below it`(
    _ width: Int?, _ text: String
  ) {
    let document = TextDocument([
      .entries([
        .init("--to FILE", "Where it is written, whole or not at all."), .init("-x", "No."),
      ])
    ])
    #expect(TextLayout(width: width, usesColor: false).text(of: document) == text)
  }

  @Test func `The numbers of a list are flush right`() {
    #expect([1, 9, 10].map(ListNumber(upTo: 12).text) == [" 1", " 9", "10"])
    #expect([1, 9].map(ListNumber(upTo: 9).text) == ["1", "9"])
    #expect(ListNumber(upTo: 0).text(3) == "3")
  }

  @Test(arguments: [
    (nil, "0123456789abcdef0123456789abcdef  A long title of some map"),
    (58, "0123456789abcdef0123456789abcdef  A long title of some map"),
    (46, "0123456789abcdef012…  A long title of some map"),
    (35, "01234567…  A long title of some map"), (25, "01234567…  A long title …"),
    (1, "01234567…  …"),
  ])
  func `Ids are shortened first, but never below what names a row`(width: Int?, line: String) {
    let id = "0123456789abcdef0123456789abcdef"
    let table = TextTable([.id, .init("title")], rows: [[id, "A long title of some map"]])
    #expect(table.lines(width: width).last == line)
  }

  @Test func `Letters that take two columns neither widen a table nor move its columns`() {
    let table = TextTable(
      [.init("title"), .init("size", .right)], rows: [["東京", "3 kB"], ["Maine", "10 kB"]])
    #expect(
      table.lines(width: 80) == ["title   size", "東京    3 kB", "Maine  10 kB"])
    let long = TextTable(
      [.id, .init("title"), .init("size", .right)],
      rows: [[String(repeating: "0a", count: 16), String(repeating: "東京の地図", count: 9), "3 kB"]])
    let lines = long.lines(width: 60)
    #expect(lines.allSatisfy { $0.terminalWidth <= 60 })
    #expect(lines[1].contains("…") && lines[1].hasSuffix("3 kB"))
    #expect("🗺️ map".terminalWidth == 6 && "é".terminalWidth == 1)
  }

  @Test func `Letters from right to left do not take the rest of a line along`() {
    let table = TextTable(
      [.init("title"), .init("size", .right), .init("state")],
      rows: [["חיפה 12", "3 kB", "stored"], ["Maine", "10 kB", "stored"]])
    #expect(
      table.lines(width: 80) == [
        "title     size  state", "\u{2068}חיפה 12\u{2069}   3 kB  stored", "Maine    10 kB  stored",
      ])
    #expect(table.lines(width: nil)[1] == "חיפה 12   3 kB  stored", "nothing is added in files")
    let fields = TextDocument([.fields([.init("title", "חיפה")])])
    let layout = TextLayout(width: 80, usesColor: false)
    #expect(layout.text(of: fields) == "title: \u{2068}חיפה\u{2069}\n")
  }

  @Test func `Characters that change the direction of what follows are left out`() {
    let title = "A\u{202E}B\u{2067}C\u{2069}\u{202C}"
    #expect(TextTable([.init("a")], rows: [[title]]).lines(width: 80)[1] == "ABC")
    #expect(TextTable([.init("a")], rows: [[title]]).lines(width: nil)[1] == "ABC")
    let document = TextDocument([.line(title), .paragraph(title, indent: 0)])
    #expect(TextLayout(width: nil, usesColor: false).text(of: document) == "ABC\nABC\n")
  }

  @Test func `Paragraphs are broken at blanks`() {
    let layout = TextLayout(width: 24, usesColor: false)
    let text = layout.text(
      of: TextDocument([.paragraph("one two three four five six", indent: 2), .blank]))
    #expect(text == "  one two three four\n  five six\n\n")
  }

  @Test func `Names and values are below each other`() {
    let layout = TextLayout(width: nil, usesColor: true)
    let document = TextDocument([
      .heading("Map"), .fields([.init("id", "1"), .init("title", "M\n")]),
    ])
    #expect(layout.text(of: document) == "\u{1B}[1mMap\u{1B}[0m\nid:    1\ntitle: M\n")
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 kB"), (1_234, "1.2 kB"),
    (99_940, "99.9 kB"), (99_960, "100 kB"), (999_949, "1000 kB"), (999_950, "1 MB"),
    (1_500_000_000, "1.5 GB"), (7_000_000_000_000_000, "7000 TB"),
  ])
  func `Bytes are counted in thousands`(count: Int, text: String) {
    #expect(ByteCount.text(count) == text)
  }
}
