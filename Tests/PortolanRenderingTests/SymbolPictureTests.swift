import Foundation
import PortolanDrawing
import PortolanFeatures
import PortolanGeometry
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanRendering
import Testing

@Suite struct SymbolPictureTests {
  static let outline: JSONValue = [
    "type": "esriSLS", "style": "esriSLSSolid", "color": [20, 20, 60, 255], "width": 1.5,
  ]

  @Test func `Markers have their shapes, sizes, angles and offsets`() async throws {
    let layers = SimpleMarkerSymbol.Style.allCases.enumerated().map { index, style in
      let symbol: JSONObject = [
        "type": "esriSMS", "style": .string(style.rawValue), "color": [220, 80, 60, 255],
        "size": .number(10 + Double(index) * 2), "angle": .number(index == 3 ? 30 : 0),
        "yoffset": .number(index == 4 ? 10 : 0), "outline": Self.outline,
      ]
      return SmallMap.layer(
        .point, [SmallMap.feature(1, SmallMap.point(Double(index) * 34 - 85, 0))], symbol: symbol)
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 220, height: 50))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "markers.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 220, height: 50), named: "markers.png")
  }

  /// Markers with all that makes them reach farther, though not so far that cairo draws each anew, which
  /// rounds otherwise in another place.
  private static let reachingMarkers: [JSONObject] = SimpleMarkerSymbol.Style.allCases.flatMap {
    (style: SimpleMarkerSymbol.Style) -> [JSONObject] in
    let wide: JSONObject = [
      "type": "esriSLS", "style": "esriSLSSolid", "color": [20, 20, 60, 255], "width": 6,
    ]
    var mitred = wide
    mitred["join"] = "miter"
    let changes: [JSONObject] = [
      [:], ["outline": .object(wide)], ["outline": .object(mitred)], ["angle": 45],
      ["xoffset": 5, "yoffset": -7], ["xoffset": 5, "angle": 30, "outline": .object(wide)],
    ]
    return changes.map { change in
      var symbol: JSONObject = [
        "type": "esriSMS", "style": .string(style.rawValue), "color": [220, 80, 60, 255],
        "size": 9,
      ]
      for member in change.members { symbol[member.name] = member.value }
      return symbol
    }
  }

  @Test(arguments: reachingMarkers)
  func `A marker beside the picture is seen as far as it reaches in`(
    _ symbol: JSONObject
  ) async throws {
    let features = (0..<40).flatMap { step -> [Feature] in
      let far = 20 + Double(step)
      return [(far, 0), (-far, 5), (-5, far), (5, -far)].enumerated().map { side, place in
        SmallMap.feature(Int64(4 * step + side), SmallMap.point(place.0, place.1))
      }
    }
    let layer = SmallMap.layer(.point, features, symbol: symbol)
    func image(_ side: Double) async throws -> PixelImage {
      let frame = SmallMap.frame(width: side, height: side)
      return try PixelImage(decoding: try await SmallMap.picture([layer], frame: frame).data)
    }
    let large = try await image(400)
    #expect(try await image(40) == large.part(x: 180, y: 180, width: 40, height: 40))
  }

  /// Drawings of dots that reach 12 pixels, and how many of three points beside the picture they read.
  private static let dots: [(drawing: JSONObject, readCount: Int)] = {
    let renderer: JSONObject = [
      "type": "simple",
      "symbol": ["type": "esriSMS", "style": "esriSMSCircle", "size": 9, "color": [9, 9, 9, 255]],
    ]
    var turned = renderer
    turned["visualVariables"] = [["type": "rotationInfo", "field": "VALUE"]]
    return [(["renderer": .object(renderer)], 1), (["renderer": .object(turned)], 3)]
  }()

  @Test(arguments: dots)
  func `Points from which no marker reaches the picture are not read`(
    _ drawing: JSONObject, _ readCount: Int
  ) async throws {
    let features = [0.0, 66, 75, 90].enumerated().map {
      SmallMap.feature(Int64($0), SmallMap.point($1, 0))
    }
    let layer = SmallMap.layer(.point, features, drawing: drawing, unreadable: [1, 2, 3])
    let picture = try await SmallMap.picture([layer])
    #expect(picture.omissions.reduce(0) { $0 + $1.count } == readCount)
  }

  @Test func `Lines have every pattern of dashes`() async throws {
    let layers = SimpleLineSymbol.Style.allCases.enumerated().map { index, style in
      let y = 60 - Double(index) * 11
      return SmallMap.layer(
        .polyline, [SmallMap.feature(1, SmallMap.line([(-90, y), (90, y)]))],
        symbol: [
          "type": "esriSLS", "style": .string(style.rawValue), "color": [0, 90, 160, 255],
          "width": 2.25,
        ])
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 200, height: 140))
    try expectPicture(picture.data, named: "dashes.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 200, height: 140), named: "dashes.png",
      unseen: ["layer 12", "layer 12, feature 1"])
  }

  @Test func `Areas have every hatch, which meets across areas`() async throws {
    let layers = SimpleFillSymbol.Style.allCases.enumerated().map { index, style in
      let (column, row) = (index % 4, index / 4)
      let box = SmallMap.box(Double(column) * 50 - 100, Double(row) * -50, 48, 48)
      return SmallMap.layer(
        .polygon, [SmallMap.feature(1, box)],
        symbol: [
          "type": "esriSFS", "style": .string(style.rawValue), "color": [60, 130, 70, 255],
          "outline": Self.outline,
        ])
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 220, height: 120))
    try expectPicture(picture.data, named: "hatches.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 220, height: 120), named: "hatches.png")
  }

  @Test func `Pictures mark points and fill areas`() async throws {
    let ground = Envelope(xMin: 0, yMin: 0, xMax: 8, yMax: 8)
    let canvas = try Canvas(
      of: ground, width: 8, height: 8, background: RGBAColor(red: 250, green: 200, blue: 60))
    canvas.fill(
      Envelope(xMin: 2, yMin: 2, xMax: 6, yMax: 6).polygon,
      RGBAColor(red: 150, green: 40, blue: 90))
    let data = JSONValue.string(try canvas.pngData().base64EncodedString())
    let area = SmallMap.layer(
      .polygon, [SmallMap.feature(1, SmallMap.box(-50, -30, 60, 60))],
      symbol: [
        "type": "esriPFS", "imageData": data, "contentType": "image/png", "width": 9, "height": 9,
        "outline": Self.outline,
      ])
    let marker = SmallMap.layer(
      .point, [SmallMap.feature(1, SmallMap.point(35, 0))],
      symbol: [
        "type": "esriPMS", "imageData": data, "width": 24, "height": 18, "angle": 20,
      ])
    let picture = try await SmallMap.picture([area, marker])
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "picture-symbols.png")
    try await expectEachPartIsSeen(
      [area, marker], MapPictureRequest(frame: SmallMap.frame()), named: "picture-symbols.png")
  }

  @Test func `Symbols of ArcGIS Pro are drawn layer by layer`() async throws {
    let line: JSONObject = [
      "type": "CIMSymbolReference",
      "symbol": [
        "type": "CIMLineSymbol",
        "symbolLayers": [
          ["type": "CIMSolidStroke", "width": 2, "color": [255, 230, 207, 255]],
          ["type": "CIMSolidStroke", "width": 5, "color": [230, 140, 101, 255]],
        ],
      ],
    ]
    let area: JSONObject = [
      "type": "CIMSymbolReference",
      "symbol": [
        "type": "CIMPolygonSymbol",
        "symbolLayers": [
          [
            "type": "CIMFilledStroke", "width": 1,
            "pattern": ["type": "CIMSolidPattern", "color": [110, 110, 110, 255]],
            "effects": [["type": "CIMGeometricEffectDashes", "dashTemplate": [4, 2]]],
          ],
          [
            "type": "CIMHatchFill", "rotation": 30, "separation": 5,
            "lineSymbol": [
              "symbolLayers": [["type": "CIMSolidStroke", "width": 1, "color": [0, 80, 200, 255]]]
            ],
          ],
          [
            "type": "CIMSolidFill",
            "color": ["type": "CIMHSVColor", "values": [60, 30, 100, 100]],
          ],
        ],
      ],
    ]
    let marker: JSONObject = [
      "type": "CIMSymbolReference",
      "symbol": [
        "type": "CIMPointSymbol",
        "symbolLayers": [
          [
            "type": "CIMVectorMarker", "size": 24,
            "frame": ["xmin": 0, "ymin": 0, "xmax": 10, "ymax": 10],
            "markerGraphics": [
              [
                "geometry": ["rings": [[[2, 2], [5, 9], [8, 2], [2, 2]]]],
                "symbol": [
                  "type": "CIMPolygonSymbol",
                  "symbolLayers": [["type": "CIMSolidFill", "color": [200, 30, 30, 255]]],
                ],
              ]
            ],
          ],
          [
            "type": "CIMSimpleMarker", "size": 26, "fillColor": [255, 255, 255, 255],
            "outlineColor": [0, 0, 0, 255], "outlineWidth": 1, "simpleMarkerType": "Circle",
          ],
        ],
      ],
    ]
    let picture = try await SmallMap.picture([
      SmallMap.layer(.polygon, [SmallMap.feature(1, SmallMap.box(-55, -35, 60, 70))], symbol: area),
      SmallMap.layer(
        .polyline, [SmallMap.feature(1, SmallMap.line([(-50, -30), (20, 0), (50, 30)]))],
        symbol: line),
      SmallMap.layer(.point, [SmallMap.feature(1, SmallMap.point(35, -15))], symbol: marker),
    ])
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "cim-symbols.png")
  }

  static let troubles: [(JSONObject, String)] = [
    (["type": "esriPMS", "imageData": "QUJD"], "the bytes are no picture"),
    (["type": "esriPMS", "imageData": "R0lGODlh"], "GIF"),
    (["type": "esriPMS", "url": "https://example.com/a.png"], "on the web"),
    (["type": "styleSymbolReference"], "\"styleSymbolReference\""),
    (["type": "esriSMS", "size": 1e30, "color": [1, 2, 3, 255]], "larger than any map"),
    (["type": "CIMSymbolReference"], "empty"),
    (["type": "CIMSymbolReference", "symbol": ["symbolLayers": [["type": "CIMNew"]]]], "CIMNew"),
    (["type": "esriTS"], "no text"),
  ]

  @Test(arguments: troubles)
  func `A symbol that cannot be drawn is reported`(
    _ symbol: JSONObject, _ reason: String
  ) async throws {
    let picture = try await SmallMap.picture([
      SmallMap.layer(.point, [SmallMap.feature(1, SmallMap.point(0, 0))], symbol: symbol)
    ])
    let omission = try #require(picture.omissions.first)
    #expect(omission.layer == "Things")
    #expect(omission.sentence.contains(reason), "\(omission.sentence)")
  }
}
