import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

@Suite struct CIMSymbolTests {
  static func reference(
    _ type: String, _ layers: [JSONObject], json: JSONObject = [:]
  ) -> JSONObject {
    var symbol = json
    symbol["type"] = .string(type)
    symbol["symbolLayers"] = .array(layers.map(JSONValue.object))
    return ["type": "CIMSymbolReference", "symbol": .object(symbol)]
  }

  static func stroke(
    _ color: JSONValue, _ width: Double, _ effects: [JSONObject] = []
  ) -> JSONObject {
    [
      "type": "CIMSolidStroke", "width": .number(width), "color": color,
      "effects": .array(effects.map(JSONValue.object)),
    ]
  }

  static func dot(_ placement: JSONObject, size: Double = 5) -> JSONObject {
    [
      "type": "CIMSimpleMarker", "size": .number(size), "simpleMarkerType": "Diamond",
      "fillColor": [200, 60, 40, 255], "markerPlacement": .object(placement),
    ]
  }

  static func effect(_ name: String, _ members: JSONObject) -> JSONObject {
    var effect = members
    effect["type"] = .string("CIMGeometricEffect" + name)
    return effect
  }

  static let effects: [JSONObject] = [
    effect("Offset", ["offset": 5]), effect("Move", ["offsetX": 6, "offsetY": 6]),
    effect("Rotate", ["angle": 20]), effect("Scale", ["XScaleFactor": 0.5, "YScaleFactor": 1.5]),
    effect("Cut", ["beginCut": 8, "endCut": 15]), effect("Buffer", ["size": 5]),
    effect("EnclosingPolygon", ["method": "ClosePath"]),
    effect("Dashes", ["dashTemplate": [4, 2, 1, 2]]),
  ]

  @Test func `Effects change the shapes that parts of symbols are drawn with`() async throws {
    let layers = Self.effects.enumerated().map { index, effect in
      let (x, y) = (Double(index % 4) * 54 - 80, 22 - Double(index / 4) * 44)
      let symbol = Self.reference(
        "CIMLineSymbol",
        [Self.stroke([200, 60, 40, 255], 1.5, [effect]), Self.stroke([150, 150, 150, 255], 0.75)])
      let line = SmallMap.line([(x - 20, y - 10), (x, y + 12), (x + 20, y - 6)])
      return SmallMap.layer(.polyline, [SmallMap.feature(1, line)], symbol: symbol)
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 220, height: 100))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "cim-effects.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 220, height: 100), named: "cim-effects.png")
  }

  static let linePlacements: [JSONObject] = [
    [
      "type": "CIMMarkerPlacementAlongLineSameSize", "placementTemplate": [12],
      "endings": "WithMarkers",
    ],
    [
      "type": "CIMMarkerPlacementAlongLineSameSize", "placementTemplate": [4, 12],
      "endings": "Custom", "offset": 5, "angleToLine": false,
    ],
    [
      "type": "CIMMarkerPlacementAtExtremities", "extremityPlacement": "Both", "offsetAlongLine": 6,
    ],
    ["type": "CIMMarkerPlacementOnVertices", "placeOnEndPoints": false],
    ["type": "CIMMarkerPlacementAtRatioPositions", "positionArray": [0, 0.25, 0.9]],
    ["type": "CIMMarkerPlacementOnLine", "relativeTo": "SegmentMidpoint"],
    ["type": "CIMMarkerPlacementOnLine", "relativeTo": "LineEnd"],
    ["type": "CIMMarkerPlacementOnLine", "relativeTo": "LineMiddle"],
  ]

  @Test func `Markers are on lines where their placement says`() async throws {
    let layers = Self.linePlacements.enumerated().map { index, placement in
      let (x, y) = (Double(index % 4) * 54 - 80, 22 - Double(index / 4) * 44)
      let symbol = Self.reference(
        "CIMLineSymbol", [Self.dot(placement), Self.stroke([150, 150, 150, 255], 0.75)])
      let line = SmallMap.line([(x - 20, y - 10), (x, y + 12), (x + 20, y - 6)])
      return SmallMap.layer(.polyline, [SmallMap.feature(1, line)], symbol: symbol)
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 220, height: 100))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "cim-placements.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 220, height: 100), named: "cim-placements.png")
  }

  static let equivalents: [(JSONObject, JSONObject)] = {
    let dashes = effect("Dashes", ["dashTemplate": [4, 2]])
    let disabled = effect("Dashes", ["dashTemplate": [4, 2], "enable": false])
    let other = effect("Dashes", ["dashTemplate": [9, 1]])
    let plain = reference("CIMLineSymbol", [stroke([200, 0, 0, 255], 3)])
    let dashed = reference("CIMLineSymbol", [stroke([200, 0, 0, 255], 3, [dashes])])
    let ofAll: JSONObject = ["effects": [.object(dashes)]]
    func colored(_ type: String, _ values: JSONValue) -> JSONObject {
      reference("CIMLineSymbol", [stroke(["type": .string(type), "values": values], 3)])
    }
    return [
      (reference("CIMLineSymbol", [stroke([200, 0, 0, 255], 3, [disabled])]), plain),
      (reference("CIMLineSymbol", [stroke([200, 0, 0, 255], 3)], json: ofAll), dashed),
      (
        reference("CIMLineSymbol", [stroke([200, 0, 0, 255], 3, [other])], json: ofAll),
        reference("CIMLineSymbol", [stroke([200, 0, 0, 255], 3, [other])])
      ),
      (colored("CIMHSLColor", [120, 100, 25, 50]), colored("CIMRGBColor", [0, 127.5, 0, 50])),
      (colored("CIMHSLColor", [0, 0, 60, 100]), colored("CIMRGBColor", [153, 153, 153, 100])),
      (colored("CIMHSLColor", [0, 50, 0, 100]), colored("CIMRGBColor", [0, 0, 0, 100])),
    ]
  }()

  @Test(arguments: equivalents.indices)
  func `Symbols that say the same in two ways look the same`(_ index: Int) async throws {
    func picture(_ symbol: JSONObject) async throws -> Data {
      let line = SmallMap.line([(-40, 0), (40, 9)])
      let layer = SmallMap.layer(.polyline, [SmallMap.feature(1, line)], symbol: symbol)
      let picture = try await SmallMap.picture([layer])
      #expect(picture.omissions == [])
      return picture.data
    }
    let (one, other) = Self.equivalents[index]
    #expect(try await picture(one) == picture(other))
    let dashed = Self.equivalents[1].1
    #expect(try await (picture(one) == picture(dashed)) == (index == 1))
  }

  static let areaPlacements: [JSONObject] = [
    ["stepX": 9, "stepY": 9, "shiftOddRows": true],
    ["stepX": 9, "stepY": 9, "gridAngle": 30, "clipping": "RemoveIfCenterOutsideBoundary"],
    ["stepX": 9, "stepY": 9, "gridType": "Random", "randomness": 100, "seed": 7],
  ]

  @Test func `Markers fill areas in a grid or scattered`() async throws {
    let layers = Self.areaPlacements.enumerated().map { index, members in
      var placement = members
      placement["type"] = "CIMMarkerPlacementInsidePolygon"
      let symbol = Self.reference(
        "CIMPolygonSymbol",
        [
          Self.stroke([60, 60, 60, 255], 1), Self.dot(placement, size: 4),
          ["type": "CIMSolidFill", "color": [235, 235, 210, 255]],
        ])
      let x = Double(index) * 60 - 85
      let ring = [(x, -25.0), (x + 50, -25), (x + 50, 25), (x + 20, 30), (x, -25)]
      let hole = [(x + 25, -15.0), (x + 25, 5), (x + 40, 5), (x + 40, -15), (x + 25, -15)]
      let rings = [ring, hole].map { Path($0.map { Coordinate(x: $0.0, y: $0.1) }) }
      return SmallMap.layer(
        .polygon, [SmallMap.feature(1, .polygon(Polygon(rings: rings)))], symbol: symbol)
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 190, height: 80))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "cim-areas.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 190, height: 80), named: "cim-areas.png")
  }

  @Test func `Members of a symbol may follow each feature`() async throws {
    var symbol = Self.reference(
      "CIMPointSymbol",
      [
        [
          "type": "CIMSimpleMarker", "size": 4, "fillColor": [200, 60, 40, 255],
          "primitiveName": "p1",
        ]
      ])
    func override(_ name: String, _ expression: String) -> JSONValue {
      [
        "type": "CIMPrimitiveOverride", "primitiveName": "p1", "propertyName": .string(name),
        "valueExpressionInfo": ["expression": .string(expression)],
      ]
    }
    symbol["primitiveOverrides"] = [override("Size", "$feature.VALUE * 2")]
    let layer = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0), value: 20)], symbol: symbol)
    let picture = try await SmallMap.picture([layer])
    #expect(picture.omissions == [])
    let image = try PixelImage(decoding: picture.data)
    // 40 points are 53 pixels.
    #expect(image.pixels[40 * 120 + 60 + 24] == 0xFFC8_3C28)
    symbol["primitiveOverrides"] = [override("FillColor", "$feature.NAME")]
    let other = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0))], symbol: symbol)
    let reasons = try await SmallMap.picture([other]).omissions.map(\.reason)
    #expect(reasons == ["\"FillColor\" of a symbol of ArcGIS Pro does not follow its feature."])
  }

  static let troubles: [(JSONObject, String)] = [
    (reference("CIMLineSymbol", [stroke([0, 0, 0, 255], 1, [effect("Wave", [:])])]), "Wave"),
    (
      reference(
        "CIMLineSymbol", [stroke([0, 0, 0, 255], 1)],
        json: ["effects": [.object(effect("Radial", [:]))]]), "Radial"
    ),
    (
      reference("CIMLineSymbol", [dot(["type": "CIMMarkerPlacementAtMeasuredUnits"])]),
      "\"AtMeasuredUnits\""
    ),
    (reference("CIMLineSymbol", [["type": "CIMGradientStroke"]]), "CIMGradientStroke"),
    (reference("CIMPointSymbol", [dot([:])], json: ["haloSize": 3]), "\"haloSize\""),
    (reference("CIMLineSymbol", [stroke([0, 0, 0, 255], 1)], json: ["glow": 2]), "\"glow\""),
  ]

  @Test(arguments: troubles)
  func `Parts of a symbol that are not drawn are reported`(
    _ symbol: JSONObject, _ reason: String
  ) async throws {
    let line = SmallMap.line([(-30, 0), (30, 9)])
    let layer = SmallMap.layer(.polyline, [SmallMap.feature(1, line)], symbol: symbol)
    let omissions = try await SmallMap.picture([layer]).omissions
    #expect(!omissions.isEmpty)
    #expect(
      omissions.contains { $0.reason.contains(reason) || reason == "CIMGradientStroke" },
      "\(omissions)")
  }
}
