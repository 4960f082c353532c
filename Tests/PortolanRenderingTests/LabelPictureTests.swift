import Foundation
import PortolanDrawing
import PortolanFeatures
import PortolanGeometry
import PortolanImages
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import Testing

@Suite struct LabelPictureTests {
  static let text: JSONValue = [
    "type": "esriTS", "color": [40, 40, 60, 255], "haloColor": [255, 255, 255, 255],
    "haloSize": 1.5, "font": ["family": "DejaVu Sans", "size": 8],
  ]

  static func layer(
    _ type: GeometryType, _ features: [Feature], symbol: JSONValue, labels: JSONObject
  ) -> DrawnLayer {
    var labels = labels
    labels["symbol"] = text
    return SmallMap.layer(
      type, features,
      drawing: [
        "renderer": ["type": "simple", "symbol": symbol], "labelingInfo": [.object(labels)],
      ], json: ["showLabels": true])
  }

  static let dot: JSONValue = ["type": "esriSMS", "size": 6, "color": [200, 40, 40, 255]]

  @Test func `Labels are placed beside points, none on another`() async throws {
    let places = [(-70.0, 20.0), (-60, 14), (-55, 17), (0, 0), (60, 20), (85, -25)]
    let features = places.enumerated().map { index, place in
      SmallMap.feature(
        Int64(index), SmallMap.point(place.0, place.1), name: "Place \(index + 1)")
    }
    let layer = Self.layer(
      .point, features, symbol: Self.dot,
      labels: [
        "labelExpression": "[NAME]", "labelPlacement": "esriServerPointLabelPlacementAboveRight",
      ])
    let picture = try await SmallMap.picture([layer], frame: SmallMap.frame(width: 220, height: 90))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "labels-points.png")
    try await expectEachPartIsSeen(
      [layer], SmallMap.request(width: 220, height: 90), named: "labels-points.png")
  }

  @Test(arguments: [(1.0, 0...80), (0.5, 140...160)])
  func `Labels are as transparent as their layer`(
    _ opacity: Double, _ darkest: ClosedRange<Int>
  ) async throws {
    var layer = Self.layer(
      .point, [SmallMap.feature(1, SmallMap.point(-30, 0), name: "IIIII")],
      symbol: ["type": "esriSMS", "size": 6, "color": [255, 255, 255, 255]],
      labels: [
        "labelExpression": "[NAME]", "labelPlacement": "esriServerPointLabelPlacementAboveRight",
      ])
    layer.opacity = opacity
    let picture = try await SmallMap.picture([layer], pixelRatio: 3)
    // The colors over white; they are multiplied by their opacity already.
    let reds = try PixelImage(decoding: picture.data).pixels.map {
      Int($0 >> 16 & 255) + 255 - Int($0 >> 24)
    }
    #expect(darkest.contains(try #require(reds.min())))
  }

  @Test func `Labels keep off markers whose own labels belong to other scales`() async throws {
    let square: JSONValue = ["type": "esriSMS", "size": 10, "color": [40, 40, 200, 255]]
    func picture(minScale: Double?) async throws -> Data {
      let others = SmallMap.layer(
        .point, [SmallMap.feature(2, SmallMap.point(24, 8), name: "Other")],
        drawing: [
          "renderer": ["type": "simple", "symbol": square],
          "labelingInfo": .array(
            minScale.map {
              [["labelExpression": "[NAME]", "minScale": .number($0), "symbol": Self.text]]
            } ?? []),
        ], json: ["showLabels": true])
      let places = Self.layer(
        .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "Place")], symbol: Self.dot,
        labels: ["labelExpression": "[NAME]"])
      let frame = SmallMap.frame(width: 120, height: 60)
      return try await SmallMap.picture([others, places], frame: frame).data
    }
    #expect(try await picture(minScale: 1) != picture(minScale: nil))
  }

  @Test func `The label of an area gives way to what is in its middle`() async throws {
    let fill: JSONValue = ["type": "esriSFS", "color": [220, 240, 220, 255]]
    func picture(hasLabel: Bool) async throws -> Data {
      let area = Self.layer(
        .polygon,
        [
          SmallMap.feature(
            1, .polygon(Envelope(xMin: -50, yMin: -35, xMax: 50, yMax: 35).polygon),
            name: hasLabel ? "Park" : "")
        ], symbol: fill, labels: ["labelExpression": "[NAME]"])
      let place = Self.layer(
        .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "Place")], symbol: Self.dot,
        labels: [
          "labelExpression": "[NAME]",
          "labelPlacement": "esriServerPointLabelPlacementCenterCenter",
        ])
      return try await SmallMap.picture([area, place], frame: SmallMap.frame()).data
    }
    #expect(try await picture(hasLabel: true) != picture(hasLabel: false))
  }

  @Test func `Labels run along lines, upright`() async throws {
    let features = [
      SmallMap.feature(1, SmallMap.line([(-100, -40), (100, 10)]), name: "Carriage Road"),
      SmallMap.feature(2, SmallMap.line([(100, 45), (-100, 30)]), name: "Footpath"),
    ]
    let layer = Self.layer(
      .polyline, features,
      symbol: ["type": "esriSLS", "color": [120, 80, 40, 255], "width": 2],
      labels: [
        "labelExpressionInfo": ["expression": "$feature.NAME"],
        "labelPlacement": "esriServerLinePlacementAboveAlong",
      ])
    let picture = try await SmallMap.picture(
      [layer], frame: SmallMap.frame(width: 220, height: 110))
    try expectPicture(picture.data, named: "labels-lines.png")
    try await expectEachPartIsSeen(
      [layer], SmallMap.request(width: 220, height: 110), named: "labels-lines.png")
  }

  static let bends: [(Double, Double)] = (0...24).map { step in
    let x = Double(step) * 10 - 120
    return (x, 35 * sin(x / 38))
  }

  @Test func `Labels follow lines that bend gently, and repeat`() async throws {
    let layer = Self.layer(
      .polyline, [SmallMap.feature(1, SmallMap.line(Self.bends), name: "Winding River Walk")],
      symbol: ["type": "esriSLS", "color": [90, 140, 200, 255], "width": 3],
      labels: [
        "labelExpression": "[NAME]", "labelPlacement": "esriServerLinePlacementAboveAlong",
        "repeatLabelDistance": 60, "removeDuplicates": "labelClass",
        "removeDuplicatesDistance": 40,
      ])
    let picture = try await SmallMap.picture(
      [layer], frame: SmallMap.frame(width: 300, height: 140), pixelRatio: 2)
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "labels-curved.png")
    try await expectEachPartIsSeen(
      [layer], SmallMap.request(width: 300, height: 140, pixelRatio: 2), named: "labels-curved.png")
  }

  @Test func `No label is placed on a line that turns at once`() async throws {
    let corner = SmallMap.line([(-60, -45), (0, 45), (60, -45)])
    func picture(_ name: String) async throws -> Data {
      try await SmallMap.picture([
        Self.layer(
          .polyline, [SmallMap.feature(1, corner, name: name)],
          symbol: ["type": "esriSLS", "color": [0, 0, 0, 255], "width": 1],
          labels: [
            "labelExpression": "[NAME]", "labelPlacement": "esriServerLinePlacementCenterAlong",
          ])
      ]).data
    }
    #expect(try await picture("A name as long as both of its sides") == picture(""))
  }

  static let variants: [(JSONObject, JSONObject)] = [
    (["stackLabel": true], ["stackLabel": false]), (["stackRowLength": 30], ["stackRowLength": 6]),
    (["multiPart": "labelPerPart"], ["multiPart": "labelLargest"]),
    (["deconflictionStrategy": "static"], ["deconflictionStrategy": "none"]),
    (["deconflictionStrategy": "dynamic"], ["deconflictionStrategy": "dynamicNeverRemove"]),
    (["allowOverlapOfLabel": "exclude"], ["allowOverlapOfLabel": "allow"]),
    (["offsetDistance": 1], ["offsetDistance": 12]),
    (["removeDuplicates": "none"], ["removeDuplicates": "all"]),
    (["stackAlignment": "dynamic"], ["stackAlignment": "textSymbol"]),
  ]

  @Test(arguments: variants.indices)
  func `A class of labels is followed word by word`(_ index: Int) async throws {
    let places = Multipoint(points: Path([Coordinate(x: -50, y: 5), Coordinate(x: 55, y: -30)]))
    let features = [
      SmallMap.feature(1, .multipoint(places), name: "A name of few words"),
      SmallMap.feature(2, SmallMap.point(-48, 7), name: "Other"),
      SmallMap.feature(3, SmallMap.point(-40, -45), name: "Other"),
    ]
    func picture(_ labels: JSONObject) async throws -> MapPicture {
      var labels = labels
      labels["labelExpression"] = "[NAME]"
      labels["symbol"] = [
        "type": "esriTS", "color": [0, 0, 0, 255], "horizontalAlignment": "left",
        "lineWidth": 70, "font": ["family": "DejaVu Sans", "size": 8],
      ]
      let layer = SmallMap.layer(
        .multipoint, features,
        drawing: [
          "renderer": ["type": "simple", "symbol": Self.dot], "labelingInfo": [.object(labels)],
        ], json: ["showLabels": true])
      return try await SmallMap.picture([layer], frame: SmallMap.frame(width: 240, height: 140))
    }
    let (one, other) = Self.variants[index]
    let (first, second) = (try await picture(one), try await picture(other))
    #expect(first.omissions == [] && second.omissions == [])
    #expect(first.data != second.data)
  }

  @Test(arguments: [
    ("lineOrientation", "page" as JSONValue, "direction" as JSONValue),
    ("allowOverrun", false, true), ("repeatLabel", true, false),
  ])
  func `A class of labels of lines is followed word by word`(
    _ member: String, _ one: JSONValue, _ other: JSONValue
  ) async throws {
    let features = [
      SmallMap.feature(1, SmallMap.line([(400, 0), (-400, 0)]), name: "Backwards"),
      SmallMap.feature(2, SmallMap.line([(-20, 30), (20, 30)]), name: "Longer than its line"),
    ]
    func picture(_ value: JSONValue) async throws -> Data {
      let layer = Self.layer(
        .polyline, features, symbol: ["type": "esriSLS", "color": [0, 0, 0, 255], "width": 1],
        labels: [
          "labelExpression": "[NAME]", "repeatLabelDistance": 100, member: value,
          "removeDuplicates": "labelClass", "removeDuplicatesDistance": 20,
        ])
      return try await SmallMap.picture(
        [layer], frame: SmallMap.frame(width: 800, height: 100)
      ).data
    }
    #expect(try await picture(one) != picture(other))
  }

  @Test func `Classes of a lower priority number go first`() async throws {
    let features = [
      SmallMap.feature(1, SmallMap.point(0, 0), name: "First", value: 1),
      SmallMap.feature(2, SmallMap.point(4, 2), name: "Second", value: 2),
    ]
    func picture(_ priorities: [Int]) async throws -> Data {
      let classes = zip(priorities, 1...).map { priority, value -> JSONValue in
        [
          "labelExpression": "[NAME]", "where": .string("VALUE = \(value)"),
          "priority": .integer(Int64(priority)), "symbol": Self.text,
          "labelPlacement": "esriServerPointLabelPlacementCenterCenter",
        ]
      }
      return try await SmallMap.picture([
        SmallMap.layer(
          .point, features,
          drawing: [
            "renderer": ["type": "simple", "symbol": Self.dot], "labelingInfo": .array(classes),
          ], json: ["showLabels": true])
      ]).data
    }
    #expect(try await picture([1, 2]) != picture([2, 1]))
  }

  @Test func `A feature has a label of each class whose condition it meets`() async throws {
    func picture(_ sides: [String]) async throws -> Data {
      let classes = sides.map { side -> JSONValue in
        [
          "labelExpression": "[NAME]", "where": "VALUE = 1", "symbol": Self.text,
          "labelPlacement": .string("esriServerPointLabelPlacement\(side)"),
        ]
      }
      return try await SmallMap.picture([
        SmallMap.layer(
          .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "Here", value: 1)],
          drawing: [
            "renderer": ["type": "simple", "symbol": Self.dot], "labelingInfo": .array(classes),
          ], json: ["showLabels": true])
      ]).data
    }
    let both = try await picture(["AboveCenter", "BelowCenter"])
    #expect(try await picture(["AboveCenter"]) != both)
    #expect(try await picture(["BelowCenter"]) != both)
  }

  @Test func `Pies have labels, and the size that a visual variable gives them`() async throws {
    func picture(size: Double, variables: JSONValue = [], labels: Bool = false) async throws -> Data
    {
      let pie: JSONValue = [
        "type": "pieChart", "size": .number(size), "visualVariables": variables,
        "attributes": [["field": "VALUE", "color": [200, 40, 40, 255]]],
      ]
      return try await SmallMap.picture([
        SmallMap.layer(
          .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "Here", value: 1, other: 10)],
          drawing: [
            "renderer": pie,
            "labelingInfo": [["labelExpression": "[NAME]", "symbol": Self.text]],
          ], json: ["showLabels": .bool(labels)])
      ]).data
    }
    let sizes: JSONValue = [
      [
        "type": "sizeInfo", "field": "OTHER",
        "stops": [["value": 0, "size": 4], ["value": 10, "size": 24]],
      ]
    ]
    #expect(try await picture(size: 8, variables: sizes) == picture(size: 24))
    #expect(try await picture(size: 8) != picture(size: 24))
    #expect(try await picture(size: 8, labels: true) != picture(size: 8))
  }

  @Test func `Unsupported settings of a label class are reported`() async throws {
    let layer = Self.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "Here")], symbol: Self.dot,
      labels: [
        "labelExpression": "[NAME]",
        "labelAngleInfo": ["angleExpressionInfo": ["expression": "$feature.VALUE"]],
        "stackSeparators": [["separator": "-"]],
      ])
    let picture = try await SmallMap.picture([layer])
    #expect(picture.omissions.count == 2)
  }

  @Test func `Labels are placed inside areas`() async throws {
    let layer = Self.layer(
      .polygon,
      [SmallMap.feature(1, SmallMap.box(-50, -30, 100, 60), name: "Acadia", value: 1500)],
      symbol: ["type": "esriSFS", "style": "esriSFSSolid", "color": [200, 225, 180, 255]],
      labels: ["labelExpressionInfo": ["value": "{NAME}: {VALUE}"]])
    let picture = try await SmallMap.picture([layer])
    try expectPicture(picture.data, named: "labels-areas.png")
    try await expectEachPartIsSeen(
      [layer], MapPictureRequest(frame: SmallMap.frame()), named: "labels-areas.png")
  }

  @Test(arguments: [("minScale", 1.0), ("maxScale", 1e9)])
  func `Labels are drawn at their scales only`(_ member: String, _ scale: Double) async throws {
    let features = [SmallMap.feature(1, SmallMap.point(0, 0), name: "Here")]
    let labels: JSONObject = ["labelExpression": "[NAME]"]
    var limited = labels
    limited[member] = .number(scale)
    let plain = try await SmallMap.picture([
      SmallMap.layer(.point, features, symbol: Self.dot.object ?? [:])
    ])
    let shown = Self.layer(.point, features, symbol: Self.dot, labels: labels)
    let hidden = Self.layer(.point, features, symbol: Self.dot, labels: limited)
    #expect(try await SmallMap.picture([shown]) != plain)
    #expect(try await SmallMap.picture([hidden]) == plain)
  }

  @Test func `Only features that meet the condition of a class have its labels`() async throws {
    let features = [SmallMap.feature(1, SmallMap.point(0, 0), name: "Here", value: 5)]
    func picture(_ condition: String) async throws -> MapPicture {
      try await SmallMap.picture([
        Self.layer(
          .point, features, symbol: Self.dot,
          labels: ["labelExpression": "[NAME]", "where": .string(condition)])
      ])
    }
    let labelled = try await picture("VALUE = 5")
    let bare = try await picture("VALUE > 5")
    #expect(labelled.data != bare.data)
    let wrong = try await picture("VALUE >> 5")
    #expect(wrong.omissions.count == 1)
  }

  @Test func `A code in a label has the name that its subtype gives it`() async throws {
    func domain(_ name: String) -> Domain {
      .codedValue(
        CodedValueDomain(name: "d", codedValues: [CodedValue(code: .double(1), name: name)]))
    }
    func picture(_ name: String, inSubtype other: String?) async throws -> Data {
      let place = SmallMap.feature(1, SmallMap.point(0, 0), value: 5, other: 1)
      let label: JSONValue = [
        "labelExpressionInfo": ["expression": "DomainName($feature, 'OTHER')"],
        "symbol": Self.text,
      ]
      let layer = SmallMap.layer(
        .point, [place],
        drawing: [
          "renderer": ["type": "simple", "symbol": Self.dot], "labelingInfo": [label],
        ], json: ["showLabels": true],
        changing: { schema in
          schema.fields[3].domain = domain(name)
          guard let other else { return }
          schema.typeIDField = "VALUE"
          schema.types = [
            FeatureType(id: .double(5), name: "t", domains: ["OTHER": domain(other)])
          ]
        })
      return try await SmallMap.picture([layer]).data
    }
    let expected = try await picture("MMMM", inSubtype: nil)
    #expect(try await picture("II", inSubtype: "MMMM") == expected)
    #expect(try await picture("II", inSubtype: nil) != expected)
  }

  @Test func `Labels whose Arcade is not evaluated are reported`() async throws {
    let layer = Self.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0))], symbol: Self.dot,
      labels: ["labelExpressionInfo": ["expression": "Geometry($feature).x"]])
    let picture = try await SmallMap.picture([layer])
    #expect(picture.omissions.first?.sentence.contains("No label") == true)
  }

  @Test func `Letters without a glyph in any font are reported`() async throws {
    let layer = Self.layer(
      .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "\u{E123}\u{E124}")],
      symbol: Self.dot, labels: ["labelExpression": "[NAME]"])
    let picture = try await SmallMap.picture([layer])
    #expect(
      picture.omissions == [
        PictureOmission(
          layer: nil, reason: "No font on this machine has a letter of a label.", count: 2)
      ])
  }
}
