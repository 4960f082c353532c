import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanTestSupport

/// The layers and tables among the recorded bodies, with the file each one comes from.
enum RecordedLayers {
  static let folders = ["featureserver", "featurequery", "mapserver"]

  /// Every resource in the folders that lists fields as layers do.
  static func all() throws -> [(file: String, layers: [LayerResource])] {
    try files(in: folders).map { file in
      (file, layers(in: try JSONValue(parsing: SharedFiles.data(file))))
    }.filter { !$0.layers.isEmpty }
  }

  /// The JSON files in folders of the recorded bodies.
  static func files(in folders: [String]) throws -> [String] {
    try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        atPath: SharedFiles.url("fixtures/\(folder)").path(percentEncoded: false)
      ).filter { $0.hasSuffix("json") }.sorted().map { "fixtures/\(folder)/\($0)" }
    }
  }

  private static func layers(in json: JSONValue) -> [LayerResource] {
    if json["fields"]?.array != nil, json["type"]?.string != nil {
      return [LayerResource(json: json)]
    }
    return ["layers", "tables"].flatMap { json[$0]?.array ?? [] }.flatMap(layers)
  }
}
