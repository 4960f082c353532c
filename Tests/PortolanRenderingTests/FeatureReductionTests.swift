import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering

@Suite struct FeatureReductionTests {
  static let labels: JSONValue = [
    [
      "labelExpressionInfo": ["expression": "Text($feature.cluster_count, '#,###')"],
      "symbol": [
        "type": "esriTS", "color": [255, 255, 255, 255],
        "font": ["family": "DejaVu Sans", "size": 8, "weight": "bold"],
      ],
    ]
  ]

  static let features: [Feature] = (0..<60).map { index in
    // Two heaps and some that stand alone.
    let turn = Double(index) * 2.4
    let reach = Double(index % 10) * 1.2
    let place: (Double, Double) =
      switch index {
      case ..<40: (-40 + cos(turn) * reach, 5 + sin(turn) * reach)
      case ..<56: (35 + cos(turn) * reach, -5 + sin(turn) * reach)
      default: (Double(index - 58) * 45 + 12, 38)
      }
    return SmallMap.feature(
      Int64(index), SmallMap.point(place.0, place.1), name: index < 40 ? "a" : "b",
      value: Double(index))
  }

  static func layer(_ reduction: JSONObject, renderer: JSONObject? = nil) -> DrawnLayer {
    let simple: JSONObject = [
      "type": "simple",
      "symbol": [
        "type": "esriSMS", "style": "esriSMSCircle", "color": [50, 110, 170, 255], "size": 6,
        "outline": ["type": "esriSLS", "color": [255, 255, 255, 255], "width": 0.75],
      ],
    ]
    return SmallMap.layer(
      .point, features, drawing: ["renderer": .object(renderer ?? simple)],
      json: ["layerDefinition": ["featureReduction": .object(reduction)]])
  }

  @Test func `Clusters grow with their feature count, and show it`()
    async throws
  {
    let layer = Self.layer([
      "type": "cluster", "clusterRadius": 24, "clusterMinSize": 14, "clusterMaxSize": 30,
      "drawingInfo": ["labelingInfo": Self.labels],
    ])
    let picture = try await SmallMap.picture([layer], frame: SmallMap.frame(width: 150, height: 90))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "clusters.png")
    try await expectEachPartIsSeen(
      [layer], SmallMap.request(width: 150, height: 90), named: "clusters.png")
  }

  @Test func `Clusters may have a renderer of their own, by their statistics`() async throws {
    let layer = Self.layer([
      "type": "cluster", "clusterRadius": 24, "showLabels": false,
      "fields": [
        ["name": "most", "onStatisticField": "NAME", "statisticType": "mode"],
        ["name": "mean", "onStatisticField": "VALUE", "statisticType": "avg"],
      ],
      "drawingInfo": [
        "renderer": [
          "type": "uniqueValue", "field1": "most",
          "uniqueValueInfos": [
            ["value": "a", "symbol": RendererPictureTests.dot(220, 20)],
            ["value": "b", "symbol": RendererPictureTests.dot(20, 20)],
          ],
        ]
      ],
    ])
    let picture = try await SmallMap.picture([layer], frame: SmallMap.frame(width: 150, height: 90))
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "clusters-by-value.png")
    try await expectEachPartIsSeen(
      [layer], SmallMap.request(width: 150, height: 90), named: "clusters-by-value.png",
      features: false)
  }

  @Test func `Bins are cells of the ground, coloured by their number of features`() async throws {
    var frame = SmallMap.frame(width: 150, height: 90)
    frame.scale *= 40
    let features = Self.features.compactMap { feature -> Feature? in
      guard let center = feature.geometry?.extent?.center else { return nil }
      return SmallMap.feature(
        feature.objectID, SmallMap.point(center.x * 40, center.y * 40))
    }
    let layer = SmallMap.layer(
      .point, features, drawing: [:],
      json: [
        "layerDefinition": [
          "featureReduction": [
            "type": "binning", "fixedBinLevel": 6,
            "drawingInfo": [
              "labelingInfo": Self.labels,
              "renderer": [
                "type": "simple",
                "symbol": [
                  "type": "esriSFS", "style": "esriSFSSolid", "color": [200, 200, 200, 255],
                  "outline": ["type": "esriSLS", "color": [255, 255, 255, 255], "width": 1],
                ],
                "visualVariables": [
                  [
                    "type": "colorInfo", "field": "aggregateCount",
                    "stops": [
                      ["value": 1, "color": [250, 220, 160, 255]],
                      ["value": 30, "color": [120, 20, 90, 255]],
                    ],
                  ]
                ],
              ],
            ],
          ]
        ]
      ])
    let picture = try await SmallMap.picture([layer], frame: frame)
    #expect(picture.omissions == [])
    try expectPicture(picture.data, named: "bins.png")
    try await expectEachPartIsSeen(
      [layer], MapPictureRequest(frame: frame), named: "bins.png")
  }

  @Test(arguments: ["cluster", "binning"])
  func `The order of features does not matter`(_ type: String) async throws {
    let json: JSONObject = [
      "layerDefinition": ["featureReduction": ["type": .string(type), "clusterRadius": 20]]
    ]
    let layers = [Self.features, Self.features.reversed()].map { features in
      SmallMap.layer(.point, features, drawing: [:], json: json)
    }
    let first = try await SmallMap.picture([layers[0]])
    #expect(try await SmallMap.picture([layers[1]]).data == first.data)
  }

  @Test func `Near the ground features are drawn one by one`() throws {
    let definition = LayerDefinition(json: [
      "featureReduction": [
        "type": "cluster", "visibilityInfo": ["type": "scale", "maxScale": 5000],
      ]
    ])
    #expect(FeatureReduction(definition, scale: 4999) == nil)
    #expect(FeatureReduction(definition, scale: 5001) != nil)
  }

  static let troubles: [(JSONObject, String)] = [
    (["type": "selection"], "without the \"selection\""),
    (
      ["type": "cluster", "fields": [["name": "x", "statisticType": "variance"]]],
      "a statistic of aggregates is not worked out"
    ),
    (
      [
        "type": "cluster",
        "drawingInfo": ["labelingInfo": [["labelExpressionInfo": ["expression": "$feature.NAME"]]]],
      ], "how many features they are, and nothing else"
    ),
  ]

  @Test(arguments: troubles)
  func `Parts of an aggregate that are not drawn are reported`(
    _ reduction: JSONObject, _ reason: String
  ) async throws {
    let omissions = try await SmallMap.picture([Self.layer(reduction)]).omissions
    #expect(omissions.contains { $0.sentence.lowercased().contains(reason.lowercased()) })
  }

  @Test(arguments: [-1e300, 0, 1e300])
  func `Absurd settings of aggregates are clamped`(
    _ number: Double
  ) async throws {
    let value = JSONValue.number(number)
    for type in ["cluster", "binning"] {
      _ = try await SmallMap.picture([
        Self.layer([
          "type": .string(type), "clusterRadius": value, "clusterMinSize": value,
          "clusterMaxSize": value, "fixedBinLevel": value,
        ])
      ])
    }
  }
}
