import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanTestSupport
import Testing

@Suite struct FeatureSetTests {
  /// The recorded bodies that list features of Esri's kind.
  static func bodies() throws -> [(file: String, json: JSONValue)] {
    try RecordedLayers.files(in: ["featurequery", "featureserver"]).compactMap { file in
      let json = try JSONValue(parsing: SharedFiles.data(file))
      let isEsri = json["features"]?.array != nil && json["type"]?.string != "FeatureCollection"
      return isEsri ? (file, json) : nil
    }
  }

  /// Whether a value says what the JSON does; servers leave away the braces of GUIDs, and write
  /// numbers where they announced text.
  private static func says(_ value: AttributeValue, _ json: JSONValue) -> Bool {
    switch value {
    case .null: json.isNull
    case .text(let text): text == json.string ?? json.text() || text == "{\(json.string ?? "")}"
    default: value.json(as: .date).double == json.double
    }
  }

  @Test(.needsSharedFiles)
  func `Every recorded set of features is read`() throws {
    var (count, setCount) = (0, 0)
    for (file, json) in try Self.bodies() {
      let set = try #require(FeatureSet(json: json), "\(file)")
      let list = json["features"]?.array ?? []
      #expect(set.unreadableShapes == [], "\(file)")
      #expect(set.features.count == list.count, "\(file)")
      setCount += 1
      for (feature, json) in zip(set.features, list) {
        count += 1
        let attributes = json["attributes"]?.object ?? [:]
        #expect(attributes.members.count <= set.fields.count, "\(file)")
        #expect((feature.geometry == nil) == (json["geometry"]?.isNull ?? true), "\(file)")
        // One server sends two members, and fields, of the same name.
        let isAmbiguous = Set(attributes.names).count < attributes.names.count
        for member in attributes.members where !isAmbiguous {
          let value = feature.attributes[member.name] ?? .null
          #expect(Self.says(value, member.value), "\(file) \(member.name)")
        }
      }
    }
    #expect(setCount > 20)
    #expect(count > 1500)
  }

  @Test(.needsSharedFiles)
  func `Every recorded feature survives being written and read back`() throws {
    for (file, json) in try Self.bodies() {
      let set = try #require(FeatureSet(json: json))
      let fields = FieldList(set.fields)
      for feature in set.features.prefix(50) {
        let written = try JSONValue(parsing: feature.esriJSON().encoded())
        let back = try Feature(
          esriJSON: written, objectID: feature.objectID, fields: fields, hasZ: set.hasZ,
          hasM: set.hasM)
        // Missing measures are not-a-number, which equals nothing.
        #expect(back.esriJSON() == feature.esriJSON(), "\(file) \(feature.objectID)")
      }
    }
  }

  @Test func `Object ids come from the field that is named`() throws {
    let set = try #require(
      FeatureSet(json: [
        "objectIdFieldName": "FID", "exceededTransferLimit": true,
        "features": [["attributes": ["fid": 7]], ["attributes": ["FID": 9, "A": "x"]]],
      ]))
    #expect(set.features.map(\.objectID) == [7, 9])
    #expect(set.exceedsTransferLimit)
    #expect(set.spatialReference == nil && set.geometryType == nil)
  }

  @Test(
    arguments: [
      ["FID": 7], ["FID": nil], ["FID": "x"], [:], ["OTHER": 5],
    ] as [JSONValue])
  func `Features without ids of their own are numbered`(_ second: JSONValue) throws {
    let json: JSONValue = [
      "objectIdFieldName": "FID", "features": [["attributes": ["FID": 7]], ["attributes": second]],
    ]
    let set = try #require(FeatureSet(json: json))
    #expect(set.features.map(\.objectID) == [1, 2])
    #expect(set.objectIDField == nil)
  }

  @Test func `Fields are those of the set, else of the layer, else what is seen`() throws {
    let features: JSONValue = [
      ["attributes": ["A": nil, "B": 1, "C": 1, "D": "x"]], ["attributes": ["A": 2, "B": 1.5]],
      ["attributes": ["C": "y", "E": [1]]],
    ]
    let seen = try #require(
      FeatureSet(json: ["features": features, "fieldAliases": ["B": "Bee", "C": ""]]))
    #expect(
      seen.fields == [
        Field("A", .string), Field("B", .double, alias: "Bee"), Field("C", .string),
        Field("D", .string), Field("E", .string),
      ])
    #expect(seen.features[1].attributes["A"] == .text("2"))
    let layer = [Field("A", .integer)]
    #expect(FeatureSet(json: ["features": features], fields: layer)?.fields == layer)
    let own: JSONValue = ["features": features, "fields": [["name": "D", "type": "?"]]]
    #expect(FeatureSet(json: own, fields: layer)?.fields == [Field("D", .string)])
  }

  @Test func `A shape that cannot be read is noted, and the feature kept`() throws {
    let set = try #require(
      FeatureSet(json: [
        "fields": [["name": "A", "type": "esriFieldTypeInteger"]],
        "features": [
          ["attributes": ["A": 1], "geometry": ["rings": "x"]],
          [
            "attributes": ["A": 2],
            "geometry": ["x": 1, "y": 2, "spatialReference": ["wkid": 3857]],
          ],
          nil, 5, [:],
        ],
      ]))
    #expect(set.features.count == 5)
    #expect(set.unreadableShapes.map(\.index) == [0])
    #expect(set.features[0].attributes["A"] == .integer(1))
    #expect(set.features[1].geometry == .point(Point(x: 1, y: 2)))
    #expect(set.geometryType == .point)
  }

  @Test(arguments: [nil, [:], ["features": nil], ["features": [:]], [], 4] as [JSONValue])
  func `JSON without a list of features is no feature set`(_ json: JSONValue) {
    #expect(FeatureSet(json: json) == nil)
  }

  @Test func `Many fields of many empty features are refused before they take memory`() {
    let fields = (0..<5_000).map { "{\"name\": \"f\($0)\", \"type\": \"esriFieldTypeString\"}" }
    let empty = Array(repeating: "{}", count: 10_000).joined(separator: ",")
    let listed = "{\"fields\": [\(fields.joined(separator: ","))], \"features\": [\(empty)]}"
    #expect(throws: JSONError.tooManyValues) { try FeatureSet(parsing: Data(listed.utf8)) }
    let features = (0..<5_000).map { "{\"attributes\": {\"f\($0)\": 1}}" }
    let shown = "{\"features\": [\(features.joined(separator: ","))]}"
    #expect(throws: JSONError.tooManyValues) { try FeatureSet(parsing: Data(shown.utf8)) }
  }
}
