internal import PortolanJSON

extension MapCacheConfig {
  /// The layers that a style draws, as TileJSON names them; `nil` for a document that draws none.
  ///
  /// Vector tile services of ArcGIS tell no layers themselves, but have a style with them. What fields
  /// the layers have is not in it.
  static func vectorMetadata(inStyle style: JSONValue) -> JSONValue? {
    var names: [String] = []
    for layer in style["layers"]?.array ?? [] {
      guard let name = layer["source-layer"]?.string, !names.contains(name) else { continue }
      names.append(name)
    }
    guard !names.isEmpty else { return nil }
    return [
      "vector_layers": .array(names.map { ["id": .string($0), "fields": .object([:])] })
    ]
  }
}
