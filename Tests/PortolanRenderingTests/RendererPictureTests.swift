import Foundation
import PortolanDrawing
import PortolanFeatures
import PortolanGeometry
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanRendering
import Testing

@Suite struct RendererPictureTests {
  static func dot(_ red: Double, _ size: Double = 14) -> JSONValue {
    [
      "type": "esriSMS", "style": "esriSMSCircle", "color": [.number(red), 90, 140, 255],
      "size": .number(size),
    ]
  }

  static let row: [Feature] = ["a", "b", "c", "d", "e"].enumerated().map { index, name in
    let place = Double(index)
    return SmallMap.feature(
      Int64(index), SmallMap.point(place * 24 - 48, 0), name: name, value: place * 10,
      other: place * 45)
  }

  static let renderers: [(String, JSONObject)] = [
    (
      "unique-values",
      [
        "type": "uniqueValue", "field1": "NAME", "defaultSymbol": dot(120, 6),
        "uniqueValueInfos": [
          ["value": "a", "symbol": dot(255)], ["value": "c", "symbol": dot(0)],
        ],
      ]
    ),
    (
      "unique-value-groups",
      [
        "type": "uniqueValue", "field1": "NAME",
        "uniqueValueGroups": [
          ["classes": [["values": [["a"], ["b"]], "symbol": dot(255)]]],
          ["classes": [["values": [["e"]], "symbol": dot(0, 8)]]],
        ],
      ]
    ),
    (
      "class-breaks",
      [
        "type": "classBreaks", "field": "VALUE", "minValue": 0,
        "classBreakInfos": [
          ["classMaxValue": 10, "symbol": dot(255, 6)],
          ["classMaxValue": 30, "symbol": dot(130, 12)],
        ],
      ]
    ),
    (
      "visual-variables",
      [
        "type": "simple",
        "symbol": [
          "type": "esriSMS", "style": "esriSMSTriangle", "color": [90, 90, 90, 255], "size": 8,
        ],
        "visualVariables": [
          [
            "type": "sizeInfo", "field": "VALUE", "minDataValue": 0, "maxDataValue": 40,
            "minSize": 6, "maxSize": 20,
          ],
          [
            "type": "colorInfo", "field": "VALUE",
            "stops": [
              ["value": 0, "color": [255, 240, 80, 255]],
              ["value": 40, "color": [160, 0, 40, 255]],
            ],
          ],
          [
            "type": "transparencyInfo", "field": "VALUE",
            "stops": [["value": 0, "transparency": 0], ["value": 40, "transparency": 60]],
          ],
          ["type": "rotationInfo", "field": "OTHER"],
        ],
      ]
    ),
    (
      "heatmap",
      [
        "type": "heatmap", "radius": 20, "maxDensity": 0.006,
        "colorStops": [
          ["ratio": 0, "color": [0, 0, 255, 0]], ["ratio": 0.5, "color": [255, 0, 255, 200]],
          ["ratio": 1, "color": [255, 255, 0, 255]],
        ],
      ]
    ),
    (
      "pie-charts",
      [
        "type": "pieChart", "size": 16, "holePercentage": 0.3,
        "attributes": [
          ["field": "VALUE", "color": [200, 60, 60, 255]],
          ["field": "OTHER", "color": [60, 60, 200, 255]],
        ],
      ]
    ),
  ]

  @Test(arguments: renderers.map(\.0))
  func `A renderer gives features their symbols`(_ name: String) async throws {
    let json = try #require(Self.renderers.first { $0.0 == name }?.1)
    let layer = SmallMap.layer(.point, Self.row, drawing: ["renderer": .object(json)])
    let picture = try await SmallMap.picture([layer], frame: SmallMap.frame(width: 130, height: 44))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "renderer-\(name).png")
    try await expectEachPartIsSeen(
      [layer], SmallMap.request(width: 130, height: 44), named: "renderer-\(name).png",
      unseen: Self.unseen[name] ?? [])
  }

  /// Features that a renderer has no symbol for.
  static let unseen: [String: Set<String>] = [
    "unique-value-groups": ["layer 1, feature 2", "layer 1, feature 3"],
    "class-breaks": ["layer 1, feature 4"], "pie-charts": ["layer 1, feature 0"],
  ]

  @Test(arguments: [Double.leastNonzeroMagnitude, 1e308, -1])
  func `A heat map bears any greatest density`(
    _ density: Double
  ) async throws {
    let renderer: JSONObject = [
      "type": "heatmap", "radius": 9, "maxDensity": .number(density),
      "colorStops": [
        ["ratio": 0, "color": [0, 0, 255, 0]], ["ratio": 1, "color": [255, 0, 0, 255]],
      ],
    ]
    let layer = SmallMap.layer(.point, Self.row, drawing: ["renderer": .object(renderer)])
    #expect(try await SmallMap.picture([layer]).omissions == [])
  }

  @Test func `Dots are scattered over areas at the same places each time`() async throws {
    let renderer: JSONObject = [
      "type": "dotDensity", "dotValue": 1, "dotSize": 2, "backgroundColor": [230, 240, 220, 255],
      "attributes": [["field": "VALUE", "color": [40, 110, 40, 255]]],
    ]
    let features = [
      SmallMap.feature(1, SmallMap.box(-50, -30, 45, 60), value: 40),
      SmallMap.feature(2, SmallMap.box(5, -30, 45, 60), value: 200),
    ]
    let layer = SmallMap.layer(.polygon, features, drawing: ["renderer": .object(renderer)])
    let first = try await SmallMap.picture([layer])
    #expect(try await SmallMap.picture([layer]) == first)
    try expectPicture(first.data, named: "renderer-dots.png")
    try await expectEachPartIsSeen(
      [layer], MapPictureRequest(frame: SmallMap.frame()), named: "renderer-dots.png")
  }

  @Test func `Headings are those of the ground, on a turned map too`() async throws {
    func picture(heading: Double, rotation: Double) async throws -> PixelImage {
      let layer = SmallMap.layer(
        .point, [SmallMap.feature(1, SmallMap.point(0, 0), value: heading)],
        drawing: [
          "renderer": [
            "type": "simple",
            "symbol": [
              "type": "esriSMS", "style": "esriSMSTriangle", "size": 30, "color": [200, 0, 0, 255],
            ], "visualVariables": [["type": "rotationInfo", "field": "VALUE"]],
          ]
        ])
      let frame = SmallMap.frame(width: 60, height: 60, rotation: rotation)
      return try PixelImage(decoding: try await SmallMap.picture([layer], frame: frame).data)
    }
    let upright = try await picture(heading: 0, rotation: 0)
    #expect(InkComparison(try await picture(heading: 30, rotation: 30), upright).share < 0.01)
    #expect(InkComparison(try await picture(heading: 30, rotation: 0), upright).share > 0.1)
  }

  @Test func `Symbols grow with the map from its reference scale on`() async throws {
    let layer = SmallMap.layer(
      .point, Self.row, drawing: ["renderer": ["type": "simple", "symbol": Self.dot(200)]])
    let scale = SmallMap.frame().scale
    let plain = try await SmallMap.picture([layer])
    #expect(try await SmallMap.picture([layer], referenceScale: scale) == plain)
    #expect(try await SmallMap.picture([layer], referenceScale: scale * 2) != plain)
  }

  @Test(arguments: ["dictionary", "flow"])
  func `A renderer that is not drawn is reported`(_ type: String) async throws {
    let layer = SmallMap.layer(
      .point, Self.row, drawing: ["renderer": ["type": .string(type)]])
    let picture = try await SmallMap.picture([layer])
    #expect(picture.omissions.first?.reason == "A renderer of the kind \"\(type)\" is not drawn.")
  }
}
