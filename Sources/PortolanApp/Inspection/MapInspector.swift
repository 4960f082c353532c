internal import PortolanMap

/// Lists what is in a map.
struct MapInspector {
  /// A layer in its place.
  struct Place {
    let layer: Layer
    /// The number of groups that contain it.
    let depth: Int

    /// The properties of the layer in the map.
    var facts: Inspection.MapLayer {
      Inspection.MapLayer(
        id: layer.id ?? "", title: layer.title, type: layer.typeName, depth: depth,
        source: layer.file ?? layer.url)
    }
  }

  private let map: WebMap

  init(_ map: WebMap) { self.map = map }

  /// The layers as the map lists them, those in groups after their group; then the tables, then
  /// the basemap.
  var layers: [Place] {
    let all = map.operationalLayers + map.tables + map.basemap.layers
    return all.flatMap { Self.places(of: $0, depth: 0) }
  }

  /// The facts of a map without its data.
  func facts(name: String, title: String) -> Inspection.Map {
    Inspection.Map(
      name: name, title: title, layers: layers.map(\.facts), bookmarkCount: map.bookmarks.count)
  }

  private static func places(of layer: Layer, depth: Int) -> [Place] {
    // Deeper than any person can follow; documents of strangers may be nested for ever.
    guard depth < 64 else { return [] }
    return [Place(layer: layer, depth: depth)]
      + layer.layers.flatMap { places(of: $0, depth: depth + 1) }
  }
}

extension Layer {
  /// The file in the package that holds the data, relative to the map's folder.
  var file: String? {
    path.map { $0.path.hasPrefix("./") ? String($0.path.dropFirst(2)) : $0.path }
  }
}
