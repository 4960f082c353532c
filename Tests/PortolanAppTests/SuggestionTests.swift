import Testing

@testable import PortolanApp

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("toc", "toc", 0), ("toc", "tco", 1),
    ("legnd", "legend", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ])
  func `Distances count insertions, deletions, replacements and swaps`(
    left: String, right: String, distance: Int
  ) {
    #expect(Suggestion.distance(left, right) == distance)
    #expect(Suggestion.distance(right, left) == distance)
  }

  @Test(arguments: [
    ("legnd", "Did you mean \"legend\"?"), ("LEGEND", "Did you mean \"legend\"?"),
    ("inspct", "Did you mean \"inspect\"?"), ("book", "Did you mean \"bookmarks\"?"),
    ("hel", "Did you mean \"help\"?"),
  ])
  func `A word near a known one is suggested`(word: String, sentence: String) {
    let known = ["help", "inspect", "legend", "bookmarks"]
    #expect(Suggestion.sentence(for: word, among: known) == sentence)
  }

  @Test func `A word is suggested once, however often it is looked for`() {
    let absent = Problem(
      message: "There is no map \"Maime\".", suggestion: "Look.", kind: .absence)
    let once = absent.suggesting("Maime", among: ["Maine"])
    #expect(once.suggestion == "Did you mean \"Maine\"? Look.")
    #expect(once.suggesting("Maime", among: ["Maine"]) == once)
  }

  @Test func `Nothing far away is suggested`() {
    #expect(Suggestion.sentence(for: "frobnicate", among: ["help", "quit"]) == nil)
    #expect(Suggestion.sentence(for: "", among: ["help", "quit"]) == nil)
  }
}
