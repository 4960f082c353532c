import Foundation
import PortolanJSON
import PortolanMap
import Testing

@Suite struct SymbolTests {
  static let outline = SimpleLineSymbol(
    .dash, color: RGBAColor(red: 1, green: 2, blue: 3), width: 2)

  static let made: [Symbol] = [
    .simpleMarker(
      SimpleMarkerSymbol(
        .triangle, color: RGBAColor(red: 9, green: 8, blue: 7, alpha: 6), size: 12.5,
        outline: outline, angle: 30)),
    .simpleLine(outline),
    .simpleFill(SimpleFillSymbol(.cross, color: nil, outline: outline)),
    .pictureMarker(
      PictureMarkerSymbol(
        imageData: Data([1, 2, 3]), contentType: "image/png", width: 20, height: 10)),
    .text(
      TextSymbol(
        color: RGBAColor(red: 0, green: 0, blue: 0), size: 11,
        haloColor: RGBAColor(red: 255, green: 255, blue: 255), haloSize: 1.5)),
  ]

  @Test(arguments: made) func `A created symbol is read back from its JSON`(_ symbol: Symbol) throws
  {
    let text = JSONValue.object(symbol.json).text()
    #expect(Symbol(json: try JSONValue(parsing: text)) == symbol)
  }

  @Test func `Missing properties of a symbol have default values`() {
    let marker = SimpleMarkerSymbol(json: ["style": "esriSMSStar", "size": "large"])
    #expect(marker.style == .circle)
    #expect(marker.size == 8)
    #expect(marker.color == nil)
    #expect(SimpleLineSymbol(json: [:]).style == .solid)
    #expect(SimpleFillSymbol(json: ["style": "esriSFSNull"]).style == .none)
    #expect(TextSymbol(json: [:]).font.size == 12)
  }

  @Test func `A picture is in the symbol or in a data address`() {
    #expect(PictureMarkerSymbol(json: ["imageData": "AQID"]).imageData == Data([1, 2, 3]))
    let address: JSONObject = ["url": "data:image/png;base64,AQID"]
    #expect(PictureFillSymbol(json: address).imageData == Data([1, 2, 3]))
    #expect(PictureMarkerSymbol(json: ["url": "https://x/a.png"]).imageData == nil)
    #expect(PictureMarkerSymbol(json: ["url": "data:image/png,raw"]).imageData == nil)
  }

  @Test(arguments: ["CIMSymbolReference", "styleSymbolReference", "PointSymbol3D", ""])
  func `Other symbols are kept as they are`(_ type: String) {
    let json: JSONObject = ["type": .string(type), "symbol": ["type": "CIMPointSymbol"]]
    #expect(Symbol(json: json) == .other(type: type, json: json))
    #expect(Symbol(json: json).json == json)
  }

  @Test func `No object is no symbol`() {
    #expect(Symbol(json: nil) == nil)
    #expect(Symbol(json: "esriSMS") == nil)
    #expect(Renderer(json: []) == nil)
  }

  @Test(arguments: [
    ("[1,2,3]", "#010203"), ("[1,2,3,255]", "#010203"), ("[300,-5,127.6,16]", "#ff008010"),
    ("null", nil), ("[1,2]", nil), ("[1,2,\"x\"]", nil), ("[1,2,3,4,5]", nil),
  ])
  func `Colours have three or four parts`(_ text: String, _ expected: String?) throws {
    #expect(RGBAColor(json: try JSONValue(parsing: text))?.hexadecimal == expected)
  }

  @Test func `One colour represents a symbol`() {
    let colors = Self.made.map { $0.color?.hexadecimal }
    #expect(colors == ["#09080706", "#010203", "#010203", nil, "#000000"])
  }
}
