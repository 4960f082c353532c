import Foundation
import PortolanArchives
import PortolanFeatures

@testable import PortolanConversion

/// GeoJSON texts, and stores of them.
enum GeoJSONText {
  /// A store of a text.
  static func store(_ text: String, stem: String = "file") async throws -> GeoJSONFile {
    try await GeoJSONFile.open(
      MemoryByteSource(Data(text.utf8), name: "\(stem).geojson"), stem: stem)
  }

  /// A collection of features.
  static func collection(_ features: [String], members: String = "") -> String {
    "{\"type\":\"FeatureCollection\",\(members)\"features\":[\n\(features.joined(separator: ",\n"))\n]}"
  }

  /// A feature at a point.
  static func point(_ properties: String, id: String? = nil, x: Double = 1) -> String {
    let id = id.map { "\"id\":\($0)," } ?? ""
    let shape = "{\"type\":\"Point\",\"coordinates\":[\(x),2]}"
    return "{\"type\":\"Feature\",\(id)\"geometry\":\(shape),\"properties\":{\(properties)}}"
  }

  /// A feature with a shape of a type.
  static func shape(_ type: String, _ coordinates: String) -> String {
    let shape = "{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}"
    return "{\"type\":\"Feature\",\"geometry\":\(shape),\"properties\":{\"kind\":\"\(type)\"}}"
  }

  /// All rows of the only table.
  static func rows(_ store: GeoJSONFile) async throws -> [Feature] {
    let table = try await store.schemas()[0].name
    return try await store.features(in: table, matching: QueryParameters()).collect()
  }
}
