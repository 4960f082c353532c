import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanDrawing
@testable import PortolanImages
@testable import PortolanRendering

@Suite struct LayerMixTests {
  static func fill(_ color: [Double]) -> JSONObject {
    ["type": "esriSFS", "style": "esriSFSSolid", "color": .array(color.map(JSONValue.number))]
  }

  static func boxes(
    _ boxes: [(Double, Double, Double, Double)], _ color: [Double], json: JSONObject = [:],
    groups: [Layer] = []
  ) -> DrawnLayer {
    let features = boxes.enumerated().map { index, box in
      SmallMap.feature(Int64(index), SmallMap.box(box.0, box.1, box.2, box.3))
    }
    var layer = SmallMap.layer(
      .polygon, features,
      drawing: ["renderer": ["type": "simple", "symbol": .object(fill(color))]], json: json)
    layer.groups = groups
    return layer
  }

  /// A cell with two colours below and a box of two colours over them, mixed in a group.
  static func cell(_ mode: BlendMode, _ x: Double, _ y: Double) -> [DrawnLayer] {
    let group = Layer(json: [
      "title": .string(mode.rawValue), "layerType": "GroupLayer",
      "layers": [["blendMode": .string(mode.rawValue)]],
    ])
    let blend: JSONObject = ["blendMode": .string(mode.rawValue)]
    return [
      boxes([(x, y, 8, 20)], [210, 120, 40, 255], groups: [group]),
      boxes([(x + 8, y, 8, 20)], [30, 80, 160, 255], groups: [group]),
      boxes([(x + 4, y + 4, 16, 16)], [90, 190, 110, 220], json: blend, groups: [group]),
    ]
  }

  @Test func `Layers are mixed with those of their group in every mode`() async throws {
    let layers = BlendMode.allCases.enumerated().flatMap { index, mode in
      Self.cell(mode, Double(index % 10) * 24 - 118, 28 - Double(index / 10) * 24)
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 240, height: 100))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "blend-modes.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 240, height: 100), named: "blend-modes.png")
  }

  static let effects: [JSONObject] = [
    ["type": "brightness", "amount": 1.5], ["type": "contrast", "amount": 2],
    ["type": "grayscale", "amount": 1], ["type": "invert", "amount": 1],
    ["type": "opacity", "amount": 0.4], ["type": "saturate", "amount": 3],
    ["type": "sepia", "amount": 1], ["type": "hue-rotate", "angle": 120],
    ["type": "blur", "radius": 3],
    [
      "type": "drop-shadow", "xoffset": 3, "yoffset": 3, "blurRadius": 1.5,
      "color": [40, 40, 40, 255],
    ],
  ]

  @Test func `The picture of a layer is changed by its effects`() async throws {
    let layers = Self.effects.enumerated().flatMap { index, effect -> [DrawnLayer] in
      let json: JSONObject = ["effect": [.object(effect)]]
      let x = Double(index % 5) * 36 - 84
      let y = 6 - Double(index / 5) * 36
      return [
        Self.boxes([(x, y, 24, 24)], [200, 140, 90, 255], json: json),
        Self.boxes([(x + 8, y + 8, 8, 8)], [60, 110, 190, 255]),
      ]
    }
    let picture = try await SmallMap.picture(layers, frame: SmallMap.frame(width: 190, height: 80))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "layer-effects.png")
    try await expectEachPartIsSeen(
      layers, SmallMap.request(width: 190, height: 80), named: "layer-effects.png")
  }

  @Test func `A picture with effects is the same for any number of parts drawn at a time`()
    async throws
  {
    let layer = Self.boxes(
      [(-20, -20, 40, 40)], [200, 0, 0, 255],
      json: ["effect": [["type": "blur", "radius": 4]], "blendMode": "average"])
    let whole = try await SmallMap.picture([layer], concurrency: 1)
    #expect(try await SmallMap.picture([layer], concurrency: 5) == whole)
  }

  @Test func `A group is mixed as a whole`() async throws {
    let group = Layer(json: ["title": "Group", "layerType": "GroupLayer", "opacity": 0.5])
    let inGroup = [
      Self.boxes([(-30, -20, 40, 40)], [200, 0, 0, 255], groups: [group]),
      Self.boxes([(-10, -20, 40, 40)], [0, 0, 200, 255], groups: [group]),
    ]
    let image = try PixelImage(decoding: try await SmallMap.picture(inGroup).data)
    // If both are there, only the upper one shows.
    #expect(image.pixels[40 * 120 + 55] == image.pixels[40 * 120 + 85])
  }

  static let scaled: JSONValue = [
    ["scale": 1000, "value": [["type": "brightness", "amount": 2]]],
    ["scale": 3000, "value": [["type": "brightness", "amount": 4]]],
  ]

  @Test(arguments: [(500.0, 2.0), (2000, 3), (9000, 4)])
  func `Effects change evenly between scales`(_ scale: Double, _ amount: Double) {
    let list = LayerEffectList(json: Self.scaled, scale: scale)
    #expect(list.effects == [.adjustment(.brightness, amount: amount)])
  }

  @Test func `Blend modes that are not applied are reported`() async throws {
    let layer = Self.boxes(
      [(0, 0, 9, 9)], [200, 0, 0, 255],
      json: [
        "blendMode": "new-mode",
        "effect": [
          ["type": "bloom", "strength": 2, "radius": 3, "threshold": 0.1],
          ["type": "blur", "radius": 1e300], ["type": "contrast", "amount": -5], 7,
        ],
      ])
    let reasons = try await SmallMap.picture([layer]).omissions.map(\.reason)
    #expect(
      reasons == [
        "Its colours are not mixed with those below as \"new-mode\" asks.",
        "The effect \"bloom\" is left out.",
      ])
  }

  @Test func `Groups in groups without end take no memory without end`() async throws {
    let groups = (0..<200).map { number in
      Layer(json: [
        "title": .string("\(number)"), "layerType": "GroupLayer", "opacity": 0.99,
        "effect": [["type": "sepia", "amount": 0.1]],
      ])
    }
    let layer = Self.boxes([(0, 0, 9, 9)], [200, 0, 0, 255], groups: groups)
    let omissions = try await SmallMap.picture([layer]).omissions
    #expect(omissions.count == 194)
    #expect(omissions.first?.reason == "It is in too many groups to be mixed.")
  }

  @Test func `A document cannot mix pixel by pixel, and says so`() async throws {
    let layer = Self.boxes([(0, 0, 9, 9)], [200, 0, 0, 255], json: ["blendMode": "reflect"])
    let picture = try await SmallMap.picture([layer], format: .svg)
    #expect(
      picture.omissions.map(\.reason) == [
        "Documents cannot mix colours as \"reflect\" asks."
      ])
  }
}
