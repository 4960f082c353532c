import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

/// Members of every type in every place, as a careless script or a hostile hand may write them.
@Suite struct DamagedWebMapTests {
  static let replacements: [JSONValue] = [
    nil, true, -1, 1e300, "text", [[1], "a", nil], ["x": ["type": "simple"]],
  ]

  @Test func `A map with any member of any type opens or is refused`() throws {
    var seen: Set<String> = []
    for part in try Self.parts(of: JSONValue(parsing: CompleteWebMap.text)) {
      seen.removeAll()
      try expectNoCrash(part, seen: &seen)
    }
  }

  @Test(.needsSharedFiles)
  func `A real map with any member of any type opens or is refused`() throws {
    var seen: Set<String> = []
    for fixture in WebMapFixture.all {
      for part in try Self.parts(of: fixture.json()) { try expectNoCrash(part, seen: &seen) }
    }
    #expect(seen.count > 70)
  }

  @Test func `A map with any byte flipped opens or is refused`() throws {
    let original = Data(CompleteWebMap.text.utf8)
    for index in stride(from: 0, to: original.count, by: 29) {
      var damaged = original
      damaged[index] ^= UInt8(1 << (index % 7))
      do throws(WebMapError) {
        #expect(try WebMap(parsing: damaged).allLayers.count < 12)
      } catch {
        #expect(error.errorDescription?.isEmpty == false)
      }
    }
  }

  @Test func `Groups as deep as a document can be are followed to the end`() throws {
    let depth = JSONValue.maximumDepth / 2 - 2
    let text =
      #"{"operationalLayers":["#
      + String(repeating: #"{"layerType":"GroupLayer","layers":["#, count: depth)
      + String(repeating: "]}", count: depth) + "]}"
    let map = try WebMap(parsing: Data(text.utf8))
    #expect(map.allLayers.count == depth)
    #expect(try WebMap(parsing: map.encoded()) == map)
    #expect(map.operationalLayers.first?.offlineSupport == .supported)
  }

  @Test func `A list of a hundred thousand layers is read`() throws {
    let elements = Array(repeating: #"{"id":1}"#, count: 100_000).joined(separator: ",")
    let map = try WebMap(parsing: Data(#"{"operationalLayers":[\#(elements)]}"#.utf8))
    #expect(map.operationalLayers.count == 100_000)
  }

  /// Replaces each member in a kind of place that was not seen before.
  private func expectNoCrash(_ document: JSONValue, seen: inout Set<String>) throws {
    var places: [[Step]] = []
    Self.collect(document, [], into: &places, seen: &seen)
    for place in places {
      for replacement in Self.replacements {
        let damaged = document.replacing(place[...], by: replacement)
        do throws(WebMapError) {
          try use(WebMap(json: damaged))
        } catch {
          #expect(error.errorDescription?.isEmpty == false)
        }
      }
    }
  }

  /// Reads everything there is in a map.
  private func use(_ map: WebMap) throws(WebMapError) {
    #expect(map.bookmarks.allSatisfy { !$0.name.isEmpty })
    for layer in map.allLayers + map.basemap.layers {
      #expect(!layer.title.isEmpty)
      use(layer)
    }
    let settings = map.offlineSettings
    #expect(settings == OfflineSettings(json: settings.json))
    let again = try WebMap(parsing: map.encoded())
    #expect(again == map)
    #expect(again.initialViewpoint == map.initialViewpoint)
  }

  private func use(_ layer: Layer) {
    #expect(layer.offlineSupport.reason?.isEmpty != true)
    #expect((0...1).contains(layer.opacity))
    let definition = layer.layerDefinition
    use(definition.drawingInfo)
    #expect(definition.fieldAliases.count <= 1)
    if let popup = layer.popupDefinition {
      let shown = PopupFormatting().popup(of: Self.feature, in: Self.schema, as: popup)
      #expect(!shown.title.isEmpty)
    }
    if case .feature(.featureCollection(let collection)) = layer.kind {
      for table in collection.layers {
        #expect(Array(table.features()).count <= 3)
        use(table.sublayer.layerDefinition.drawingInfo)
      }
    }
  }

  private func use(_ drawing: DrawingInfo) {
    #expect(drawing.labelDefinitions.count <= 3)
    guard let renderer = drawing.renderer else { return }
    #expect(renderer.legendEntries.count < 10)
    let entry = renderer.entry(for: Self.feature.attributes)
    #expect(entry == renderer.entry(for: Self.feature.attributes))
  }

  static let schema = FeatureTableSchema(
    name: "Wells",
    fields: [
      Field("OBJECTID", .objectID), Field("NAME", .string), Field("DEPTH", .double),
      Field("DAY", .date), Field("STATE", .smallInteger), Field("A", .integer), Field("B", .double),
    ])

  static let feature = Feature(
    objectID: 1,
    attributes: Attributes(
      FieldList(schema.fields),
      [
        .integer(1), .text("Old <well>"), .double(1234.56), .date(Date(timeIntervalSince1970: 0)),
        .integer(2), .integer(4), .double(2),
      ]))

  // MARK: Places in documents

  enum Step: Hashable {
    case member(String)
    case element(Int)
  }

  /// The map without its layers, and each layer in a map of its own, so that each is read fast.
  private static func parts(of document: JSONValue) -> [JSONValue] {
    guard var root = document.object else { return [] }
    let layers = ["operationalLayers", "tables"].flatMap { name in
      (root[name]?.array ?? []).map { JSONValue.object([name: [$0]]) }
    }
    root["operationalLayers"] = []
    root["tables"] = []
    return [.object(root)] + layers
  }

  /// The first place for each path without the numbers of elements.
  private static func collect(
    _ value: JSONValue, _ place: [Step], into places: inout [[Step]], seen: inout Set<String>
  ) {
    let shape = place.map { step in
      if case .member(let name) = step { "." + name } else { "[]" }
    }.joined()
    if seen.insert(shape).inserted { places.append(place) }
    switch value {
    case .object(let object):
      for member in object.members {
        collect(member.value, place + [.member(member.name)], into: &places, seen: &seen)
      }
    case .array(let elements):
      for (index, element) in elements.prefix(4).enumerated() {
        collect(element, place + [.element(index)], into: &places, seen: &seen)
      }
    default: break
    }
  }
}

extension JSONValue {
  fileprivate func replacing(
    _ place: ArraySlice<DamagedWebMapTests.Step>, by replacement: JSONValue
  ) -> JSONValue {
    switch (place.first, self) {
    case (.member(let name), .object(var object)):
      object[name] = object[name]?.replacing(place.dropFirst(), by: replacement)
      return .object(object)
    case (.element(let index), .array(var elements)):
      elements[index] = elements[index].replacing(place.dropFirst(), by: replacement)
      return .array(elements)
    default: return replacement
    }
  }
}
