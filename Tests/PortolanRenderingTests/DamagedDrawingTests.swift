import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

/// Documents and shapes that make no sense are drawn as far as they do, and told.
@Suite struct DamagedDrawingTests {
  static let red: JSONValue = [200, 0, 0, 255]

  /// Shapes that cross themselves, have no places, or are far too large.
  static let shapes: [(GeometryType, [Geometry])] = {
    let bow = [(-40.0, -20.0), (40, 20), (40, -20), (-40, 20), (-40, -20)]
    let gaps = [(-30.0, 0.0), (.nan, 5), (.infinity, -.infinity), (30, 9), (-30, 0)]
    let far = [(-1e12, -1e12), (1e12, 1e12), (1e300, -1e300), (-1e12, -1e12)]
    let paths = [bow, gaps, far].map { Path($0.map { Coordinate(x: $0.0, y: $0.1) }) }
    return [
      (.polygon, paths.map { .polygon(Polygon(rings: [$0])) }),
      (.polyline, paths.map { .polyline(Polyline(paths: [$0])) }),
      (.point, [SmallMap.point(0, 0), SmallMap.point(.nan, .infinity), SmallMap.point(1e300, 0)]),
    ]
  }()

  @Test func `A row that cannot be read is listed, and the others are drawn`() async throws {
    let points = (1...3).map { SmallMap.feature($0, SmallMap.point(Double($0) * 20 - 40, 0)) }
    let dot: JSONObject = [
      "type": "esriSMS", "style": "esriSMSCircle", "color": Self.red, "size": 9,
    ]
    func picture(_ features: [Feature], _ unreadable: Set<Int64> = []) async throws -> MapPicture {
      try await SmallMap.picture([
        SmallMap.layer(.point, features, drawing: Self.rendered(dot), unreadable: unreadable)
      ])
    }
    let damaged = try await picture(points, [2])
    let others = try await picture([points[0], points[2]])
    #expect(damaged.omissions.map(\.reason) == ["Row 2 of things is damaged: it is a test."])
    #expect(damaged.data == others.data)
  }

  @Test func `A row that a view cannot compute is listed, and the others are drawn`() async throws {
    let points = (1...3).map { SmallMap.feature($0, SmallMap.point(Double($0) * 20 - 40, 0)) }
    let dot: JSONObject = [
      "type": "esriSMS", "style": "esriSMSCircle", "color": Self.red, "size": 9,
    ]
    let view = try await SmallMap.picture([
      SmallMap.layer(
        .point, points, drawing: Self.rendered(dot), unreadable: [2], isView: true)
    ])
    let others = try await SmallMap.picture([
      SmallMap.layer(.point, [points[0], points[2]], drawing: Self.rendered(dot))
    ])
    #expect(
      view.omissions.map(\.reason) == [
        "Row 2 of things cannot be read: it uses an expression in things that cannot be computed, "
          + "which is not supported."
      ])
    #expect(view.data == others.data)
  }

  private static func rendered(_ symbol: JSONObject) -> JSONObject {
    ["renderer": ["type": "simple", "symbol": .object(symbol)]]
  }

  static func symbol(_ json: JSONObject) -> JSONObject {
    ["type": "simple", "symbol": .object(json)]
  }

  static let manyStops: JSONValue = .array(
    (0..<50_000).map { ["value": .integer(Int64($0)), "color": red, "size": 3] })

  static let hugePicture: JSONValue = .string(
    Data(
      [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0x7F, 255, 255]
        + [255, 0x7F, 255, 255, 255, 8, 6, 0, 0, 0]
    ).base64EncodedString())

  static func cim(_ layer: JSONObject) -> JSONObject {
    symbol([
      "type": "CIMSymbolReference",
      "symbol": ["type": "CIMPolygonSymbol", "symbolLayers": [.object(layer)]],
    ])
  }

  static func nested(_ depth: Int) -> JSONObject {
    var symbol: JSONObject = ["type": "CIMPointSymbol"]
    for _ in 0..<depth {
      symbol = [
        "type": "CIMPointSymbol",
        "symbolLayers": [
          [
            "type": "CIMVectorMarker", "size": 9,
            "markerGraphics": [["geometry": ["x": 0, "y": 0], "symbol": .object(symbol)]],
          ]
        ],
      ]
    }
    return ["type": "CIMSymbolReference", "symbol": .object(symbol)]
  }

  /// Renderers with what is told of them, if anything.
  static let renderers: [(JSONObject, String?)] = [
    (symbol(["type": "esriSMS", "size": 1e9, "color": red]), "larger than any map"),
    (symbol(["type": "esriSMS", "size": -5, "color": red]), nil),
    (symbol(["type": "esriSMS", "size": "large", "color": red]), nil),
    (symbol(["type": "esriSMS", "color": [1, 2]]), "\"color\" of a symbol is no colour"),
    (symbol(["type": "esriSMS", "color": [1e300, -7, 300, 2, 5]]), "no colour"),
    (symbol(["type": "esriSMS", "color": "red"]), "no colour"),
    (symbol(["type": "esriSLS", "width": 1e9, "color": red]), "larger than any map"),
    (
      symbol(["type": "esriSFS", "color": red, "outline": ["width": 1e9, "color": red]]), "larger"
    ),
    (
      symbol(["type": "esriSFS", "color": [1], "outline": ["width": 1, "color": red]]),
      "\"color\" of a symbol is no colour"
    ),
    (symbol(["type": "esriPMS", "imageData": "////"]), "no picture"),
    (symbol(["type": "esriPMS", "imageData": hugePicture]), "picture symbol is not drawn"),
    (symbol(["type": "esriPFS", "imageData": hugePicture]), "picture symbol is not drawn"),
    (symbol(["type": "esriTS", "text": "A", "font": ["size": 1e9]]), "larger than any map"),
    (
      symbol([
        "type": "esriTS", "text": .string(String(repeating: "Wide ", count: 50_000)),
        "color": red,
      ]), nil
    ),
    (
      [
        "type": "simple", "symbol": ["type": "esriSMS", "color": red],
        "visualVariables": [["type": "colorInfo", "field": "VALUE", "stops": manyStops]],
      ], nil
    ),
    (
      [
        "type": "simple", "symbol": ["type": "esriSMS", "color": red],
        "visualVariables": [
          [
            "type": "colorInfo", "field": "VALUE",
            "stops": [["value": 0, "color": red], ["value": 9, "color": [1, 2]]],
          ]
        ],
      ], "no colour"
    ),
    (["type": "heatmap", "radius": 1e9, "colorStops": manyStops], nil),
    (["type": "pieChart", "size": 1e9, "attributes": [["field": "VALUE", "color": red]]], nil),
    (["type": "pieChart", "attributes": [["field": "VALUE", "color": [1]]]], "no colour"),
    (
      [
        "type": "dotDensity", "dotValue": 1e-300, "dotSize": 1e9,
        "attributes": [["field": "VALUE", "color": red]],
      ], nil
    ),
    (["type": "uniqueValue", "field1": "NAME", "uniqueValueInfos": manyStops], nil),
    (["type": "classBreaks", "field": "VALUE", "classBreakInfos": [7, .null, [:]]], nil),
    (cim(["type": "CIMHatchFill", "separation": 1e-9]), nil),
    (
      cim([
        "type": "CIMSolidStroke", "width": 1, "color": ["type": "CIMSpotColor", "values": [1]],
      ]), "colour of a symbol of ArcGIS Pro"
    ),
    (
      cim([
        "type": "CIMSolidStroke", "width": 1e9, "color": red,
        "effects": [["type": "CIMGeometricEffectDashes", "dashTemplate": [0, 0, -3, 1e9]]],
      ]), "larger than any map"
    ),
    (
      cim([
        "type": "CIMSimpleMarker", "size": 3, "fillColor": red,
        "markerPlacement": [
          "type": "CIMMarkerPlacementInsidePolygon", "stepX": 1e-9, "stepY": -4, "gridAngle": 1e300,
        ],
      ]), nil
    ),
    (
      cim([
        "type": "CIMSolidStroke", "width": 1, "color": red,
        "effects": [
          ["type": "CIMGeometricEffectScale", "XScaleFactor": 1e300, "YScaleFactor": 0],
          ["type": "CIMGeometricEffectRotate", "angle": 1e300],
          ["type": "CIMGeometricEffectBuffer", "size": 1e9],
          ["type": "CIMGeometricEffectCut", "beginCut": 1e9, "endCut": -1e9],
        ],
      ]), nil
    ),
    (symbol(nested(40)), "nested too deeply"),
  ]

  @Test(arguments: renderers.indices)
  func `Invalid settings are drawn as far as possible, and reported`(_ index: Int) async throws {
    let (renderer, reason) = Self.renderers[index]
    var told: Set<String> = []
    for (type, shapes) in Self.shapes {
      let features = shapes.enumerated().map { number, shape in
        SmallMap.feature(Int64(number), shape, name: "0", value: 5, other: 1e300)
      }
      let layer = SmallMap.layer(type, features, drawing: ["renderer": .object(renderer)])
      told.formUnion(try await SmallMap.picture([layer]).omissions.map(\.reason))
    }
    guard let reason else { return }
    #expect(told.contains { $0.contains(reason) }, "\(told)")
  }

  @Test(arguments: [(-5.0, 9.0), (9, -5), (-5, -5), (0, 0)])
  func `A picture marker of a negative size is not drawn`(
    width: Double, height: Double
  ) async throws {
    let red = try #require(PixelImage(width: 1, height: 1, pixels: [0xFFC8_0000]))
    let layer = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0))],
      symbol: [
        "type": "esriPMS", "imageData": .string(try red.pngData().base64EncodedString()),
        "width": .number(width), "height": .number(height),
      ])
    let picture = try PixelImage(decoding: try await SmallMap.picture([layer]).data)
    #expect(picture.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
  }

  @Test(arguments: [1e300, 1e-300, -1, .infinity], [0.0, -1e300, 5])
  func `Dots of any reference scale are drawn`(scale: Double, value: Double) async throws {
    let layer = SmallMap.layer(
      .polygon, [SmallMap.feature(1, SmallMap.box(-20, -20, 40, 40), value: value)],
      drawing: [
        "renderer": [
          "type": "dotDensity", "dotValue": 1, "referenceScale": .number(scale),
          "attributes": [["field": "VALUE", "color": Self.red]],
        ]
      ])
    _ = try await SmallMap.picture([layer])
  }

  @Test func `The author of a layer is credited, once, without markup`() async throws {
    var layer = SmallMap.layer(.point, [], drawing: [:], json: ["copyright": "<b>Surveyors</b>"])
    let plain = try await Self.credited([layer], [])
    let credited = try await Self.credited([layer], ["Surveyors"])
    #expect(plain == credited)
    layer.layer = Layer(json: ["title": "Things"])
    #expect(try await Self.credited([layer], []) != plain)
    #expect(try await Self.credited([layer], ["Surveyors"]) == plain)
  }

  static func credited(_ layers: [DrawnLayer], _ credits: [String]) async throws -> Data {
    var renderer = MapRenderer(layers: layers)
    renderer.map.credits = credits
    let request = MapPictureRequest(frame: SmallMap.frame(), decorations: [.attribution])
    return try await renderer.picture(request).data
  }
}
