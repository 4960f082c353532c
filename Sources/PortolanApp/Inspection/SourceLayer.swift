internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// A layer in vector tiles, as styles name it in `source-layer`.
public struct SourceLayer: Hashable, Sendable {
  /// A field of the features.
  public struct Field: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The type of the values, as documents write it: mostly `Number`, `String` or `Boolean`.
    public var type: String

    /// Creates a field.
    public init(name: String, type: String) {
      self.name = name
      self.type = type
    }
  }

  /// The name.
  public var name: String
  /// The source's description of the layer, if it is more than its name.
  public var summary: String?
  /// The kind of most shapes (`Point`, `LineString`, `Polygon`), if the source says so.
  public var geometry: String?
  /// The number of features, if the source gives it.
  public var count: Int?
  /// The levels on which it is, if the source says so.
  public var levels: ClosedRange<Int>?
  /// The fields by name.
  public var fields: [Field] = []

  /// Creates a layer of which only the name is known.
  public init(name: String) { self.name = name }
}

extension SourceLayer {
  /// The layers of a source: as its document says, else those that the style of a package draws.
  static func layers(of source: any TileSource) async -> [SourceLayer] {
    guard source.info.isVector else { return [] }
    // Damaged metadata beside the tiles says nothing of them.
    if let document = try? await source.metadata() {
      let layers = layers(describedBy: document)
      if !layers.isEmpty { return layers }
    }
    // As above.
    guard let style = try? (source as? VectorTilePackage)?.style() else { return [] }
    return layers(drawnBy: style)
  }

  private static func layers(describedBy document: JSONValue) -> [SourceLayer] {
    let statistics = (document["tilestats"]?["layers"]?.array ?? []).reduce(
      into: [String: JSONValue]()
    ) { statistics, layer in
      if let name = layer["layer"]?.string { statistics[name] = layer }
    }
    return (document["vector_layers"]?.array ?? []).compactMap { json in
      guard let name = json["id"]?.string else { return nil }
      var layer = SourceLayer(name: name)
      layer.summary = json["description"]?.string.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
      layer.levels = Self.levels(json["minzoom"]?.double, json["maxzoom"]?.double)
      layer.fields = (json["fields"]?.object?.members ?? []).map {
        Field(name: $0.name, type: $0.value.string ?? "")
      }.sorted { $0.name < $1.name }
      layer.geometry = statistics[name]?["geometry"]?.string
      layer.count = statistics[name]?["count"]?.int
      return layer
    }
  }

  /// Styles name layers and the zooms at which they are drawn, but not their fields.
  private static func layers(drawnBy style: JSONValue) -> [SourceLayer] {
    var layers: [SourceLayer] = []
    for json in style["layers"]?.array ?? [] {
      guard let name = json["source-layer"]?.string, !layers.contains(where: { $0.name == name })
      else { continue }
      layers.append(SourceLayer(name: name))
    }
    return layers
  }

  /// The layer without levels on which there are no tiles: documents mostly name all those of the scheme.
  func limited(to tiles: ClosedRange<Int>?) -> SourceLayer {
    guard let levels, let tiles else { return self }
    var layer = self
    layer.levels = levels.overlaps(tiles) ? levels.clamped(to: tiles) : nil
    return layer
  }

  private static func levels(_ first: Double?, _ last: Double?) -> ClosedRange<Int>? {
    guard let first = first.flatMap({ Int(exactly: $0.rounded(.down)) }),
      let last = last.flatMap({ Int(exactly: $0.rounded(.down)) }), first <= last
    else { return nil }
    return first...last
  }
}
