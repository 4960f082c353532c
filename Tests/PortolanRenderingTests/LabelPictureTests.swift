import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
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
    return DrawnMap.layer(
      type, features,
      drawing: [
        "renderer": ["type": "simple", "symbol": symbol], "labelingInfo": [.object(labels)],
      ], json: ["showLabels": true])
  }

  static let dot: JSONValue = ["type": "esriSMS", "size": 6, "color": [200, 40, 40, 255]]

  @Test func `Labels stand beside points, none on another`() async throws {
    let places = [(-70.0, 20.0), (-60, 14), (-55, 17), (0, 0), (60, 20), (85, -25)]
    let features = places.enumerated().map { index, place in
      DrawnMap.feature(
        Int64(index), DrawnMap.point(place.0, place.1), name: "Place \(index + 1)")
    }
    let layer = Self.layer(
      .point, features, symbol: Self.dot,
      labels: [
        "labelExpression": "[NAME]", "labelPlacement": "esriServerPointLabelPlacementAboveRight",
      ])
    let picture = try await DrawnMap.picture([layer], frame: DrawnMap.frame(width: 220, height: 90))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "labels-points.png", tolerance: 0.05)
  }

  @Test func `Labels run along lines, upright`() async throws {
    let features = [
      DrawnMap.feature(1, DrawnMap.line([(-100, -40), (100, 10)]), name: "Carriage Road"),
      DrawnMap.feature(2, DrawnMap.line([(100, 45), (-100, 30)]), name: "Footpath"),
    ]
    let layer = Self.layer(
      .polyline, features,
      symbol: ["type": "esriSLS", "color": [120, 80, 40, 255], "width": 2],
      labels: [
        "labelExpressionInfo": ["expression": "$feature.NAME"],
        "labelPlacement": "esriServerLinePlacementAboveAlong",
      ])
    let picture = try await DrawnMap.picture(
      [layer], frame: DrawnMap.frame(width: 220, height: 110))
    try expectPicture(picture.data, named: "labels-lines.png", tolerance: 0.05)
  }

  @Test func `Labels stand inside areas`() async throws {
    let layer = Self.layer(
      .polygon,
      [DrawnMap.feature(1, DrawnMap.box(-50, -30, 100, 60), name: "Acadia", value: 1500)],
      symbol: ["type": "esriSFS", "style": "esriSFSSolid", "color": [200, 225, 180, 255]],
      labels: ["labelExpressionInfo": ["value": "{NAME}: {VALUE}"]])
    let picture = try await DrawnMap.picture([layer])
    try expectPicture(picture.data, named: "labels-areas.png", tolerance: 0.05)
  }

  @Test(arguments: [("minScale", 1.0), ("maxScale", 1e9)])
  func `Labels are drawn at their scales only`(_ member: String, _ scale: Double) async throws {
    let features = [DrawnMap.feature(1, DrawnMap.point(0, 0), name: "Here")]
    let labels: JSONObject = ["labelExpression": "[NAME]"]
    var limited = labels
    limited[member] = .number(scale)
    let plain = try await DrawnMap.picture([
      DrawnMap.layer(.point, features, symbol: Self.dot.object ?? [:])
    ])
    let shown = Self.layer(.point, features, symbol: Self.dot, labels: labels)
    let hidden = Self.layer(.point, features, symbol: Self.dot, labels: limited)
    #expect(try await DrawnMap.picture([shown]) != plain)
    #expect(try await DrawnMap.picture([hidden]) == plain)
  }

  @Test func `Only features that meet the condition of a class have its labels`() async throws {
    let features = [DrawnMap.feature(1, DrawnMap.point(0, 0), name: "Here", value: 5)]
    func picture(_ condition: String) async throws -> MapPicture {
      try await DrawnMap.picture([
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

  @Test func `Labels whose Arcade is not evaluated are told of`() async throws {
    let layer = Self.layer(
      .point, [DrawnMap.feature(1, DrawnMap.point(0, 0))], symbol: Self.dot,
      labels: ["labelExpressionInfo": ["expression": "Geometry($feature).x"]])
    let picture = try await DrawnMap.picture([layer])
    #expect(picture.omissions.first?.sentence.contains("No label") == true)
  }

  @Test func `Letters that no font has are told of`() async throws {
    let layer = Self.layer(
      .point, [DrawnMap.feature(1, DrawnMap.point(0, 0), name: "\u{E123}\u{E124}")],
      symbol: Self.dot, labels: ["labelExpression": "[NAME]"])
    let picture = try await DrawnMap.picture([layer])
    #expect(
      picture.omissions == [
        PictureOmission(
          layer: nil, reason: "No font on this machine has a letter of a label.", count: 2)
      ])
  }
}
