internal import PortolanXML

extension FuzzTarget {
  /// A document is read, searched, written and read again.
  static let xml = FuzzTarget("xml", words: FormatWords.xml, texts: DocumentSeeds.xml) { data in
    let root = try XMLElement(parsing: data)
    _ = root.descendants(named: "Name").count
    _ = root.descendant("a", "b")?.text
    _ = try FuzzFinding.mustWork("read again") { try XMLElement(parsing: root.serialized) }
  }
}
