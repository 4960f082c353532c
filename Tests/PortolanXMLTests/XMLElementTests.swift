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
  func `Invalid XML is refused`(_ text: String) {
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

  @Test func `A written tree reads back the same`() throws {
    let tree = XMLElement(
      "root", attributes: ["b": "1 < 2 & \"3\"", "a": "line\nbreak"],
      children: [
        XMLElement("empty"), XMLElement("text", text: "a]]>b <c>&amp; é \u{1F30D}"),
        XMLElement("child", children: [XMLElement("child")]),
      ])
    #expect(try XMLElement(parsing: tree.serialized) == tree)
  }

  @Test func `Attributes are written by name, and characters that XML cannot hold left out`() {
    let element = XMLElement("p:e", attributes: ["z": "1", "xsi:type": "T"], text: "a\u{1}b")
    #expect(element.serialized == "<p:e xsi:type=\"T\" z=\"1\">ab</p:e>")
    #expect(XMLElement("e").serialized == "<e/>")
  }

  @Test(arguments: [
    "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>b</a>",
    "<?xml version=\"1.0\" encoding=\"UCS-4\"?><a>b</a>",
    "<?xml version=\"1.0\" encoding=\"none\"?><a>\u{1}</a>",
  ])
  func `A false encoding is an error of the document, and nothing is printed`(_ text: String) {
    #expect(throws: XMLError.self) { try XMLElement(parsing: text) }
  }
}
