import PortolanXML
import Testing

@Suite struct XMLElementTests {
  @Test func `A document becomes a tree`() throws {
    let root = try XMLElement(
      parsing: """
        <?xml version="1.0"?>
        <a:Root xmlns:a="x" xsi:type="T" xmlns:xsi="y"> <Item Id="1">one &amp; &#65;</Item>
          <Item/><Deep><Item><![CDATA[<two>]]></Item></Deep></a:Root>
        """)
    #expect(root.name == "Root")
    #expect(root.attributes["type"] == "T")
    #expect(root.child("item")?.text == "one & A")
    #expect(root.descendant("Deep", "Item")?.text == "<two>")
    #expect(root.descendants(named: "Item").count == 3)
    #expect(root.child("Item")?.attributes == ["Id": "1"])
  }

  @Test(arguments: ["", "<a>", "<a></b>", "<a/><b/>", "text", "<a b=1/>"])
  func `What is no XML is refused`(_ text: String) {
    #expect {
      try XMLElement(parsing: text)
    } throws: { error in
      guard case XMLError.malformed = error else { return false }
      return true
    }
  }

  @Test func `Entities that would grow are refused`() {
    let text = "<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c \"&b;&b;&b;\">]><a>&c;</a>"
    #expect(throws: XMLError.forbiddenDeclaration) { try XMLElement(parsing: text) }
  }

  @Test func `A document nested a million deep is refused`() {
    let text = String(repeating: "<a>", count: 1_000_000)
    #expect(throws: XMLError.nestedTooDeep(limit: XMLElement.maximumDepth)) {
      try XMLElement(parsing: text)
    }
  }
}
