import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering
@testable import PortolanSymbols

/// Whether each member that the survey takes for drawn changes the picture.
@Suite struct MemberSurveyTests {
  struct Change: Sendable, CustomTestStringConvertible {
    let type: String
    let member: String
    let value: JSONValue
    var testDescription: String { "\(type).\(member)" }
  }

  static let outline: JSONValue = ["type": "esriSLS", "color": [0, 0, 0, 255], "width": 2]

  static let bases: [String: JSONObject] = [
    "esriSMS": ["type": "esriSMS", "color": [90, 30, 30, 255], "size": 30, "outline": outline],
    "esriSLS": ["type": "esriSLS", "color": [90, 30, 30, 255], "width": 4],
    "esriSFS": ["type": "esriSFS", "color": [90, 30, 30, 255]],
    "esriPMS": ["type": "esriPMS", "imageData": picture(0), "width": 20, "height": 20],
    "esriPFS": ["type": "esriPFS", "imageData": picture(0), "width": 20, "height": 20],
    "esriTS": ["type": "esriTS", "text": "Wy", "font": ["family": "DejaVu Sans", "size": 20]],
  ]

  static func picture(_ red: UInt8) -> JSONValue {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 4, yMax: 4)
    let color = RGBAColor(red: red, green: 90, blue: 140)
    guard let canvas = try? Canvas(of: ground, width: 4, height: 4, background: color) else {
      return .null
    }
    canvas.fill(Envelope(xMin: 0, yMin: 0, xMax: 2, yMax: 3).polygon, .white)
    // Without a picture the tests that use it fail.
    return .string((try? canvas.pngData().base64EncodedString()) ?? "")
  }

  static let changes: [Change] = [
    change("esriSMS", "style", "esriSMSSquare"), change("esriSMS", "size", 20),
    change("esriSMS", "angle", 30, with: ["style": "esriSMSSquare"]),
    change("esriSMS", "xoffset", 5), change("esriSMS", "yoffset", 5),
    change("esriSMS", "color", [0, 200, 0, 255]), change("esriSMS", "outline", .null),
    change("esriSLS", "style", "esriSLSDash"), change("esriSLS", "width", 9),
    change("esriSLS", "color", [0, 200, 0, 255]), change("esriSLS", "cap", "square"),
    change("esriSLS", "join", "bevel"),
    change("esriSLS", "marker", ["style": "arrow", "placement": "end"]),
    change("esriSFS", "style", "esriSFSCross"), change("esriSFS", "color", [0, 200, 0, 255]),
    change("esriSFS", "outline", outline),
    change("esriPMS", "imageData", picture(200)), change("esriPMS", "width", 30),
    change("esriPMS", "height", 30), change("esriPMS", "angle", 30),
    change("esriPMS", "xoffset", 5), change("esriPMS", "yoffset", 5),
    change("esriPFS", "imageData", picture(200)), change("esriPFS", "width", 30),
    change("esriPFS", "height", 30), change("esriPFS", "angle", 30),
    change("esriPFS", "xoffset", 5), change("esriPFS", "yoffset", 5),
    change("esriPFS", "xscale", 2), change("esriPFS", "yscale", 2),
    change("esriPFS", "outline", outline),
    change("esriTS", "text", "Mo"), change("esriTS", "color", [0, 200, 0, 255]),
    change("esriTS", "backgroundColor", [0, 200, 0, 255]),
    change("esriTS", "borderLineColor", [0, 200, 0, 255], with: ["borderLineSize": 2]),
    change("esriTS", "borderLineSize", 3, with: ["borderLineColor": [0, 0, 0, 255]]),
    change("esriTS", "haloColor", [0, 200, 0, 255], with: ["haloSize": 2]),
    change("esriTS", "haloSize", 2, with: ["haloColor": [0, 200, 0, 255]]),
    change("esriTS", "angle", 30), change("esriTS", "xoffset", 5), change("esriTS", "yoffset", 5),
    change("esriTS", "horizontalAlignment", "left"), change("esriTS", "verticalAlignment", "top"),
    change("esriTS", "font", font(["size": 30])),
    change("esriTS", "font", font(["weight": "bold"])),
    change("esriTS", "font", font(["style": "italic"])),
    change("esriTS", "font", font(["decoration": "underline"])),
    change("esriTS", "font", font(["decoration": "line-through"])),
  ]

  private static func font(_ members: JSONObject) -> JSONValue {
    var font: JSONObject = ["family": "DejaVu Sans", "size": 20]
    for member in members.members { font[member.name] = member.value }
    return .object(font)
  }

  private static func change(
    _ type: String, _ member: String, _ value: JSONValue, with: JSONObject = [:]
  ) -> Change {
    var json = with
    json[member] = value
    return Change(type: type, member: member, value: .object(json))
  }

  /// Members that are drawn as other members say, or that say nothing about drawing.
  static let irrelevant: [String: Set<String>] = [
    // `imageData` and `url` are two ways to give the same.
    "esriPMS": ["contentType", "url", "color", "size", "xscale", "yscale", "source"],
    "esriPFS": ["contentType", "url", "color", "source"],
    // Joins of lines are mitred as far as is usual.
    "esriSLS": ["miterLimit"],
    "esriTS": ["kerning", "rightToLeft"],
  ]

  static func picture(of symbol: JSONObject) async throws -> MapPicture {
    let shape: (GeometryType, Geometry) =
      switch symbol.text("type") {
      case "esriSLS": (.polyline, SmallMap.line([(-40, -20), (0, 25), (40, -20)]))
      case "esriSFS", "esriPFS": (.polygon, SmallMap.box(-30, -20, 60, 40))
      default: (.point, SmallMap.point(0, 0))
      }
    return try await SmallMap.picture([
      SmallMap.layer(shape.0, [SmallMap.feature(1, shape.1)], symbol: symbol)
    ])
  }

  @Test(arguments: changes)
  func `A member of a symbol that is taken for drawn changes the picture`(
    _ change: Change
  ) async throws {
    let base = try #require(Self.bases[change.type])
    var (plain, changed) = (base, base)
    for member in change.value.object?.members ?? [] {
      if member.name != change.member { plain[member.name] = member.value }
      changed[member.name] = member.value
    }
    let before = try await Self.picture(of: plain)
    let after = try await Self.picture(of: changed)
    #expect(before.omissions == [] && after.omissions == [])
    #expect(before.data != after.data)
  }

  @Test(arguments: MemberSurvey.symbols.keys.sorted())
  func `Every member of a symbol is drawn or says nothing about drawing`(_ type: String) throws {
    let tried = Set(Self.changes.filter { $0.type == type }.map(\.member))
    let known = try #require(MemberSurvey.symbols[type])
    #expect(known.subtracting(tried).subtracting(Self.irrelevant[type] ?? []) == [])
  }

  static let unknown: [(JSONObject, String)] = [
    (["type": "simple", "symbol": ["type": "esriSMS", "glow": 3]], "\"glow\" of a symbol"),
    (
      ["type": "simple", "symbol": ["type": "esriSMS", "style": "esriSMSPath", "path": "M0 0"]],
      "\"esriSMSPath\""
    ),
    (
      [
        "type": "simple",
        "symbol": ["type": "esriSMS", "outline": ["type": "esriSLS", "glow": 1]],
      ],
      "\"glow\" of an outline"
    ),
    (["type": "simple", "symbol": ["type": "esriSMS"], "shine": true], "\"shine\" of a renderer"),
    (
      ["type": "uniqueValue", "field1": "NAME", "drawInClassOrder": true],
      "\"drawInClassOrder\" of a renderer"
    ),
    (
      [
        "type": "classBreaks", "field": "VALUE",
        "classBreakInfos": [
          ["classMaxValue": 9, "symbol": ["type": "esriSMS"], "alternateSymbols": [["x": 1]]]
        ],
      ], "\"alternateSymbols\" of a class"
    ),
    (
      [
        "type": "simple", "symbol": ["type": "esriSMS"],
        "visualVariables": [["type": "rotationInfo", "field": "VALUE", "wobble": 2]],
      ], "\"wobble\" of a visual variable"
    ),
  ]

  @Test(arguments: unknown)
  func `A member that is not drawn is reported`(
    _ renderer: JSONObject, _ reason: String
  ) async throws {
    let layer = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0))],
      drawing: ["renderer": .object(renderer)])
    let omissions = try await SmallMap.picture([layer]).omissions
    #expect(
      omissions.contains { $0.sentence.lowercased().contains(reason.lowercased()) },
      "\(omissions)")
  }

  static let layers: [(JSONObject, String)] = [
    (["featureEffect": ["includedEffect": [["type": "blur"]]]], "sets off"),
    (["layerDefinition": ["orderBy": [["field": "MISSING"]]]], "order of the table"),
    (["layerDefinition": ["drawingInfo": ["symbolLayerDrawing": ["a": 1]]]], "level by level"),
    (["layerDefinition": ["polygonFilter": ["a": 1]]], "filter by areas"),
  ]

  @Test(arguments: layers)
  func `What a layer requests that is not drawn is reported`(
    _ json: JSONObject, _ reason: String
  ) async throws {
    let layer = SmallMap.layer(.point, [], drawing: [:], json: json)
    let omissions = try await SmallMap.picture([layer]).omissions
    #expect(omissions.contains { $0.reason.contains(reason) }, "\(omissions)")
  }

  @Test func `What the item of a layer asks for counts as what the map does`() async throws {
    let layer = SmallMap.layer(.point, [], drawing: [:])
    var content = try #require(layer.content.features.first)
    content.itemDefinition = LayerDefinition(json: [
      "orderBy": [["field": "MISSING"]], "polygonFilter": ["a": 1],
    ])
    let drawn = DrawnLayer(layer: layer.layer, content: .features([content]))
    let omissions = try await SmallMap.picture([drawn]).omissions
    for reason in ["order of the table", "filter by areas"] {
      #expect(omissions.contains { $0.reason.contains(reason) }, "\(omissions)")
    }
  }

  @Test func `Settings of the whole map that are not drawn are reported`() async throws {
    let map = try WebMap(json: [
      "version": "2.37", "operationalLayers": [], "baseMap": ["baseMapLayers": []],
      "initialState": ["timeExtent": ["start": 1, "end": 2]], "mapFloorInfo": ["siteLayer": 1],
    ])
    var drawn = DrawnMap(layers: [])
    drawn.webMap = map
    let picture = try await MapRenderer(drawn).picture(MapPictureRequest(frame: SmallMap.frame()))
    #expect(picture.omissions.count == 2)
  }

  @Test func `A display filter holds at its scale`() {
    let definition = LayerDefinition(json: [
      "displayFilterInfo": [
        "filterMode": "scale",
        "filters": [
          ["id": "a", "where": "VALUE > 3", "minScale": 10_000, "maxScale": 5000],
          ["id": "b", "where": "VALUE > 5", "minScale": 5000, "maxScale": 0],
        ],
      ]
    ])
    #expect(definition.displayFilter(atScale: 7000) == "VALUE > 3")
    #expect(definition.displayFilter(atScale: 20_000) == nil)
  }
}
