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

/// The definition of a layer in a map, over that of the layer's service, member by member.
@Suite struct LayerInheritanceTests {
  private static let schema = FeatureTableSchema(
    name: "things", geometryType: .polygon, spatialReference: .webMercator, fields: SmallMap.fields)

  private static func renderer(_ color: JSONValue) -> JSONObject {
    [
      "type": "simple", "symbol": ["type": "esriSFS", "style": "esriSFSSolid", "color": color],
    ]
  }

  private static let service: JSONObject = [
    "drawingInfo": [
      "renderer": .object(renderer([255, 0, 0, 255])), "transparency": 40, "showLabels": true,
      "labelingInfo": [["labelExpression": "[NAME]"]],
    ],
    "minScale": 5000, "maxScale": 100,
  ]

  private func content(_ layer: JSONObject) -> FeatureLayerContent {
    FeatureLayerContent(
      store: InMemoryFeatureStore([FeatureTableContents(schema: Self.schema, features: [])]),
      schema: Self.schema, layer: Layer(json: layer), resource: Self.service)
  }

  private func drawing(_ own: JSONObject) -> DrawingInfo {
    content(["layerDefinition": ["drawingInfo": .object(own)]]).drawingInfo
  }

  @Test func `A map that changes only the labels keeps the renderer of the service`() {
    let drawing = drawing(["labelingInfo": [["labelExpression": "[VALUE]"]]])
    #expect(drawing.renderer == Renderer(json: .object(Self.renderer([255, 0, 0, 255]))))
    #expect(drawing.labelDefinitions.map(\.text) == [.legacy("[VALUE]")])
  }

  @Test(arguments: [nil, .null, "none"] as [JSONValue?])
  func `A map that changes only the renderer keeps the labels of the service`(
    _ labels: JSONValue?
  ) {
    var own: JSONObject = ["renderer": .object(Self.renderer([0, 0, 255, 255]))]
    if labels == .null { own["labelingInfo"] = .null }
    if labels == "none" { own["renderer"] = "none" }
    let drawing = drawing(own)
    #expect(drawing.labelDefinitions.map(\.text) == [.legacy("[NAME]")])
    let color: JSONValue = labels == "none" ? [255, 0, 0, 255] : [0, 0, 255, 255]
    #expect(drawing.renderer == Renderer(json: .object(Self.renderer(color))))
  }

  @Test func `An empty list of labels is the map's own word`() {
    #expect(drawing(["labelingInfo": []]).labelDefinitions == [])
  }

  @Test func `Transparency is that of the map, else that of the service, never both`() {
    #expect(drawing([:]).transparency == 40)
    #expect(drawing(["transparency": 10]).transparency == 10)
    #expect(content(["opacity": 0.5]).drawingInfo.transparency == 0)
    #expect(content(["opacity": 1]).drawingInfo.transparency == 0)
  }

  @Test func `An opacity and a transparency that say the same count once`() {
    let own: JSONObject = [
      "opacity": 0.3, "layerDefinition": ["drawingInfo": ["transparency": 70]],
    ]
    #expect(content(own).drawingInfo.transparency == 0)
  }

  @Test func `The opacity of a set of features that a map keeps replaces its transparency`() {
    func transparency(_ set: JSONObject) -> Double? {
      var set = set
      set["featureSet"] = ["features": []]
      var definition = set.object("layerDefinition") ?? [:]
      definition["geometryType"] = "esriGeometryPoint"
      definition["fields"] = [["name": "OBJECTID", "type": "esriFieldTypeOID"]]
      set["layerDefinition"] = .object(definition)
      let collection = FeatureCollection(json: ["layers": [.object(set)]])
      let content = FeatureCollectionContent(collection: collection, layer: Layer(json: [:]))
      return content.content.features.first?.drawingInfo.transparency
    }
    let drawing: JSONValue = ["drawingInfo": ["transparency": 70]]
    #expect(transparency(["layerDefinition": drawing]) == 70)
    #expect(transparency(["layerDefinition": drawing, "opacity": 0.75]) == 25)
  }

  @Test func `Labels are switched off by the map, whatever the service says`() {
    func shows(_ layer: JSONObject) -> Bool {
      Layer(json: layer).showsLabels(over: content(layer).drawingInfo.showsLabels)
    }
    #expect(shows([:]))
    #expect(!shows(["showLabels": false]))
    #expect(!shows(["layerDefinition": ["drawingInfo": ["showLabels": false]]]))
    #expect(shows(["showLabels": true, "layerDefinition": ["drawingInfo": ["showLabels": false]]]))
  }

  @Test func `Labels that the map switches off are not drawn`() async throws {
    func layer(_ showsLabels: JSONValue?) -> DrawnLayer {
      SmallMap.layer(
        .point, [SmallMap.feature(1, SmallMap.point(0, 0), name: "Katahdin")],
        drawing: ["showLabels": true, "labelingInfo": [["labelExpression": "[NAME]"]]],
        json: showsLabels.map { ["showLabels": $0] } ?? [:])
    }
    let labelled = try await SmallMap.picture([layer(nil)])
    let bare = try await SmallMap.picture([layer(false)])
    #expect(try inked(labelled.data) > inked(bare.data))
    #expect(try inked(bare.data) > 0)
  }

  private func inked(_ data: Data) throws -> Int {
    let image = try ImageDecoder.decode(data)
    return image.pixels.count { $0 != image.pixels[0] }
  }

  @Test func `Each limit of the scales is the map's, else that of the service`() {
    let range = content([:]).serviceScaleRange
    #expect(range == ScaleRange(minScale: 5000, maxScale: 100))
    #expect(
      Layer(json: ["minScale": 900]).scaleRange(over: range)
        == ScaleRange(minScale: 900, maxScale: 100))
  }

  // MARK: The order of features

  @Test(arguments: [("ascending", 1.0), ("asc", 1), ("descending", 2), ("desc", 2)])
  func `Features are drawn in the order that the layer asks for`(
    _ order: String, _ top: Double
  ) async throws {
    let classes: JSONValue = [
      [
        "value": 1,
        "symbol": ["type": "esriSFS", "style": "esriSFSSolid", "color": [255, 0, 0, 255]],
      ],
      [
        "value": 2,
        "symbol": ["type": "esriSFS", "style": "esriSFSSolid", "color": [0, 0, 255, 255]],
      ],
    ]
    func picture(_ values: [Double]) async throws -> MapPicture {
      let features = values.enumerated().map { index, value in
        SmallMap.feature(Int64(index + 1), SmallMap.box(-20, -20, 40, 40), value: value)
      }
      return try await SmallMap.picture([
        SmallMap.layer(
          .polygon, features,
          drawing: [
            "renderer": ["type": "uniqueValue", "field1": "VALUE", "uniqueValueInfos": classes]
          ],
          json: [
            "layerDefinition": ["orderBy": [["field": "value", "order": .string(order)]]]
          ])
      ])
    }
    let expected = try await SmallMap.picture([
      SmallMap.layer(
        .polygon, [SmallMap.feature(1, SmallMap.box(-20, -20, 40, 40), value: top)],
        drawing: [
          "renderer": ["type": "uniqueValue", "field1": "VALUE", "uniqueValueInfos": classes]
        ])
    ])
    for values in [[1.0, 2], [2, 1]] {
      let picture = try await picture(values)
      #expect(picture.data == expected.data)
      #expect(picture.omissions == [])
    }
  }

  @Test(arguments: [["valueExpression": "$feature.VALUE"], ["field": "MISSING"]] as [JSONObject])
  func `A drawing order that cannot be kept is reported`(_ order: JSONObject) {
    let layer = Layer(json: ["layerDefinition": ["orderBy": [.object(order)]]])
    let found = DrawingOrder(layer, Self.schema)
    #expect(found.terms == [])
    #expect(found.problem != nil)
  }

  // MARK: Formatted sections

  @Test(arguments: [
    ("<BOL>Main</BOL> St", "Main St", true), ("a < b > c", "a < b > c", false),
    ("<CLR red='255' green=\"0\">x</CLR>&amp;<FNT size = '8'>y</FNT>", "x&y", true),
    ("&amp;", "&amp;", false), ("<bogus>x</bogus>", "<bogus>x</bogus>", false),
    ("<BOL", "<BOL", false), ("<", "<", false), ("1 <SUP>2</SUP> &lt; 3", "1 2 < 3", true),
    ("&amp;lt;<ITA></ITA>", "&lt;", true),
  ])
  func `A label reads without the tags that format it`(
    _ text: String, _ plain: String, _ hasTags: Bool
  ) {
    let markup = LabelMarkup(text)
    #expect(markup.plain == plain)
    #expect(markup.hasTags == hasTags)
  }
}
