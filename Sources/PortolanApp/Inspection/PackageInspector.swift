internal import Foundation
internal import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages
internal import PortolanTiles

/// Lists what is in a package, and the layers that have features.
struct PackageInspector {
  private let package: MobileMapPackage

  init(_ package: MobileMapPackage) { self.package = package }

  /// Adds the maps of the package and the data that their layers show.
  func add(to inspection: inout Inspection) async throws {
    inspection.version = package.info.version
    inspection.title = package.info.title
    inspection.extent = package.info.extent
    inspection.warnings = package.warnings
    for name in package.mapNames {
      if let map = package.maps.first(where: { $0.name == name }) {
        inspection.maps.append(try await facts(of: map, &inspection))
      } else {
        let reason = package.failures[name]?.errorDescription ?? "It is missing."
        inspection.unreadableParts.append("The map \"\(name)\" cannot be opened. \(reason)")
      }
    }
  }

  /// The layers of all maps that have features, as the maps show them, and after them the tables
  /// of their files as they are.
  func featureLayers() async throws(FeatureStoreError) -> [[InspectedLayer]] {
    var shown: [InspectedLayer] = []
    var tables: [InspectedLayer] = []
    var files: Set<String> = []
    for map in package.maps {
      for layer in MapInspector(map.webMap).layers.map(\.layer) {
        for content in await map.contents.content(of: layer).features {
          shown.append(InspectedLayer(layer, content))
          guard files.insert(layer.file ?? layer.title).inserted else { continue }
          tables += try await InspectedLayer.tables(of: content.store)
        }
      }
    }
    return [shown, tables]
  }

  private func facts(
    of map: MobileMap, _ inspection: inout Inspection
  ) async throws -> Inspection.Map {
    var layers: [Inspection.MapLayer] = []
    for place in MapInspector(map.webMap).layers {
      var facts = place.facts
      let content = await map.contents.content(of: place.layer)
      facts.problem = content.problem
      if !content.features.isEmpty {
        let tables = content.features.map(\.schema.name).joined(separator: ", ")
        facts.source = [tables, place.layer.file].compactMap(\.self).joined(separator: " in ")
      }
      do { try await add(content, from: place.layer, to: &inspection) } catch {
        try Task.checkCancellation()
        facts.problem = error.localizedDescription
      }
      if let problem = facts.problem, Self.hasData(place.layer, content) {
        inspection.unreadableParts.append("The layer \"\(place.layer.title)\": \(problem)")
      }
      layers.append(facts)
    }
    return Inspection.Map(
      name: map.name, title: map.title, layers: layers,
      bookmarkCount: map.webMap.bookmarks.count)
  }

  /// Whether a layer should have data in the package: one that is online has none, and those of a kind
  /// that is not shown are not looked for.
  private static func hasData(_ layer: Layer, _ content: LayerContent) -> Bool {
    if case .notSupported = content { false } else { layer.path != nil }
  }

  /// Adds the tables or tiles of a file that no layer before has named.
  private func add(
    _ content: LayerContent, from layer: Layer, to inspection: inout Inspection
  ) async throws {
    let file = layer.file ?? layer.title
    switch content {
    case .features(let contents):
      guard !inspection.tables.contains(where: { $0.file == file }) else { return }
      // Layers of a file share its store; features in the map itself have a store for each table.
      let stores = layer.file == nil ? contents.map(\.store) : contents.prefix(1).map(\.store)
      for store in stores {
        try await FileInspector.add(store, from: file, to: &inspection)
      }
    case .tiles(let source): try await add(source, file, to: &inspection)
    case .vectorTiles(let source): try await add(source, file, to: &inspection)
    case .styledTiles(let tiles):
      if let source = tiles.package { try await add(source, file, to: &inspection) }
    case .group, .service, .pictures, .unavailable, .notSupported: return
    }
  }

  private func add(
    _ source: any TileSource, _ file: String, to inspection: inout Inspection
  ) async throws(TileError) {
    guard !inspection.tileSets.contains(where: { $0.file == file }) else { return }
    inspection.tileSets.append(try await Inspection.TileSet(of: source, file: file))
  }
}

extension InspectedLayer {
  /// A layer as its map shows it.
  fileprivate init(_ layer: Layer, _ content: FeatureLayerContent) {
    self.init(
      names: [layer.title, layer.id].compactMap(\.self), store: content.store,
      schema: content.schema, definitionExpression: content.definitionExpression)
  }
}
