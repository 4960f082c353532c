import Testing

@testable import PortolanREPL

@Suite struct WordSplitterTests {
  @Test(arguments: [
    ("", []), ("   ", []), ("toc", ["toc"]), ("  show\ttoc  ", ["show", "toc"]),
    (#"show "Water Mains""#, ["show", "Water Mains"]),
    ("show 'Water Mains'", ["show", "Water Mains"]),
    (#"show Water\ Mains"#, ["show", "Water Mains"]), (#"a "" b"#, ["a", "", "b"]),
    (#"--layer="Water Mains""#, ["--layer=Water Mains"]), (#""it's""#, ["it's"]),
    (#"'a\b'"#, [#"a\b"#]), (#""a\"b""#, ["a\"b"]), (#"'"'"#, ["\""]),
    ("go-to 1 # x", ["go-to", "1", "#", "x"]),
  ])
  func `A line is cut at blanks outside quotes`(line: String, words: [String]) throws {
    #expect(try WordSplitter.words(of: line) == words)
  }

  @Test(arguments: [#"show "Water"#, "show 'Water", #"show \"#, #"""#])
  func `A line that is not finished is refused`(line: String) {
    #expect(throws: UsageError.self) { try WordSplitter.words(of: line) }
  }
}
