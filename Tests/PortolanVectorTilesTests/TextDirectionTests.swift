import Testing

@testable import PortolanVectorTiles

/// Texts that run from right to left, set in letters of packages.
struct TextDirectionTests {
  private static func forms(_ text: String) -> String {
    String(String.UnicodeScalarView(ArabicForms.shaped(Array(text.unicodeScalars))))
  }

  /// The text as it is seen, from left to right.
  private static func visual(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    let letters = Array(zip(scalars, TextDirection.levels(scalars)))
    let seen = TextDirection.visual(letters[...]) { $0.1 }
      .map { $0.1 % 2 == 1 ? TextDirection.mirrored($0.0) : $0.0 }
    return String(String.UnicodeScalarView(seen))
  }

  @Test func `Arabic letters take the shapes that they have beside others`() {
    // Beh alone, at the start, between others, and at the end.
    #expect(Self.forms("\u{628}") == "\u{FE8F}")
    #expect(Self.forms("\u{628}\u{628}\u{628}") == "\u{FE91}\u{FE92}\u{FE90}")
    // Alef joins to the letter before it and not to the one after it.
    #expect(Self.forms("\u{628}\u{627}\u{628}") == "\u{FE91}\u{FE8E}\u{FE8F}")
    // A vowel sign between letters does not part them.
    #expect(Self.forms("\u{628}\u{64E}\u{628}") == "\u{FE91}\u{64E}\u{FE90}")
    // Hamza joins to none; a Persian letter has its shapes elsewhere.
    #expect(Self.forms("\u{628}\u{621}") == "\u{FE8F}\u{FE80}")
    #expect(Self.forms("\u{67E}\u{67E}") == "\u{FB58}\u{FB57}")
  }

  @Test func `A lam and an alef become one`() {
    #expect(Self.forms("\u{644}\u{627}") == "\u{FEFB}")
    #expect(Self.forms("\u{628}\u{644}\u{623}\u{628}") == "\u{FE91}\u{FEF8}\u{FE8F}")
  }

  @Test func `Other texts stay`() {
    #expect(Self.forms("Lighthouse Road 5") == "Lighthouse Road 5")
    #expect(Self.visual("Lighthouse Road (5)") == "Lighthouse Road (5)")
  }

  @Test(arguments: [
    // Hebrew alone, with a number, with brackets, beside Latin on both sides.
    ("אבג", "גבא"), ("אבג 12.5 דה", "הד 12.5 גבא"), ("אב (גד)", "(דג) בא"),
    ("Road אבג 7", "Road 7 גבא"), ("אבג Road דה", "הד Road גבא"), ("a אב b", "a בא b"),
  ])
  func `Text that runs from right to left is turned, and numbers in it are not`(
    _ text: String, _ seen: String
  ) {
    #expect(Self.visual(text) == seen)
  }
}
