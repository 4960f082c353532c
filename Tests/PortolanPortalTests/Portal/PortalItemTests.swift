import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanPortal
import Testing

@Suite struct PortalItemTests {
  private func item(_ members: String) throws -> PortalItem {
    let json = try JSONValue(parsing: #"{"id":"1",\#(members)}"#)
    return try #require(PortalItem(json: json))
  }

  @Test(arguments: [
    ("[[-70,43],[-69,44]]", Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44)),
    (#"[["-70","43"],["-69","44.5"]]"#, Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44.5)),
    ("[[-69,44],[-70,43]]", Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44)),
    (
      #"{"xmin":-70,"ymin":43,"xmax":-69,"ymax":44}"#,
      Envelope(xMin: -70, yMin: 43, xMax: -69, yMax: 44)
    ),
    ("[[170,-20],[-175,10]]", Envelope(xMin: 170, yMin: -20, xMax: 185, yMax: 10)),
    ("[]", nil), ("null", nil), (#""""#, nil), (#"[["NaN","NaN"],["NaN","NaN"]]"#, nil),
    ("[[-70,43]]", nil), ("[1,2,3,4]", nil), ("[[],[]]", nil), ("[[1e999,0],[0,0]]", nil),
  ])
  func `An extent is read in every form`(_ json: String, _ expected: Envelope?) throws {
    // Numbers beyond all measure are no JSON.
    guard (try? JSONValue(parsing: json)) != nil else { return }
    #expect(try item(#""extent":\#(json)"#).extent == expected)
  }

  @Test func `Missing, null and mistyped members count as not given`() throws {
    let names = [
      "type", "title", "owner", "created", "modified", "typeKeywords", "tags", "thumbnail",
      "extent",
      "properties", "url", "access", "size", "numViews", "avgRating", "protected", "orgId",
    ]
    for name in names {
      for value in ["null", "{}", "[]", "true", "-1", #""x""#, "[[[]]]", #"{"a":{}}"#] {
        let item = try item(#""\#(name)":\#(value)"#)
        #expect(item.id.text == "1")
        #expect(item.size == nil && item.extent == nil && item.url == nil)
      }
    }
    #expect(PortalItem(json: ["title": "x"]) == nil)
    #expect(PortalItem(json: [1]) == nil)
    #expect(PortalItem(json: ["id": "../../../maps/a/p13/x"]) == nil)
  }

  @Test func `Members are read as they are meant`() throws {
    let item = try item(
      #""created":1000,"modified":"2000","size":-1,"type":"Web Map","access":"org","#
        + #""url":"//services.example.com/a/FeatureServer","protected":true,"new":[1]"#)
    #expect(item.created == Date(timeIntervalSince1970: 1))
    #expect(item.modified == Date(timeIntervalSince1970: 2))
    #expect(item.size == nil)
    #expect(item.isOf(.webMap) && item.access == .organization && item.isProtected)
    #expect(item.url?.absoluteString == "https://services.example.com/a/FeatureServer")
    #expect(item.json["new"] == [1])
  }

  @Test func `A kind that is not known is kept`() throws {
    #expect(try item(#""type":"Hologram Set""#).kind.rawValue == "Hologram Set")
  }

  @Test(arguments: ["javascript:alert(1)", "file:///etc/passwd", "https://", "ftp://a/b", " "])
  func `An address that is none of the web is not taken`(_ url: String) throws {
    #expect(try item(#""url":"\#(url)""#).url == nil)
  }

  @Test(arguments: [
    "", "  ", "..", "../../../maps/a/p13/x", "a/b", "a\\b", "a.b", "a b", "a\u{0}", "%2e", "٣٣",
    "ä",
    String(repeating: "a", count: 65),
  ])
  func `A text that could lead out of a folder is not an id`(_ text: String) {
    #expect(throws: PortalError.invalidID(text)) { try PortalItem.ID(text) }
  }

  @Test(arguments: ["-", "--", "_"])
  func `A text without a letter or a digit is not an id`(_ text: String) {
    #expect(throws: PortalError.invalidID(text)) { try PortalItem.ID(text) }
  }

  @Test func `A hexadecimal id is the same in upper and in lower case`() throws {
    let id = try PortalItem.ID(" 0123456789ABCDEF0123456789abcdef\n")
    #expect(id.text == "0123456789abcdef0123456789abcdef")
    #expect(try PortalItem.ID("Area-1_b").text == "Area-1_b")
  }
}
