internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A map made of all tables of a geodatabase or GeoPackage, for files that come without one.
struct FeatureFileMap {
  let url: URL
  /// What the file is, and whether it may be edited.
  let place: FeatureFileSlot.Place
  /// A map of the tiles in the same file, which lie under the features.
  var tiles: MobileMap?

  /// A package with one map, in which points lie above lines and lines above areas.
  ///
  /// - Returns: The package; of a file without tables, one with the tiles only.
  /// - Throws: ``PackageError`` if the file cannot be read.
  func package() async throws(PackageError) -> MobileMapPackage {
    let name = url.deletingPathExtension().lastPathComponent
    do {
      let slot = FeatureFileSlot(place)
      let store = try await slot.store()
      let schemas = try await store.schemas()
      let shapes = schemas.filter { $0.geometryType != nil }
      var map = WebMap(
        spatialReference: tiles?.webMap.spatialReference ?? shapes.first?.spatialReference
          ?? .webMercator,
        basemap: tiles?.webMap.basemap ?? Basemap(title: ""))
      map.operationalLayers = shapes.sorted { Self.rank($0) > Self.rank($1) }.map {
        Layer(.feature, id: $0.name, title: $0.alias)
      }
      map.tables = schemas.filter { $0.geometryType == nil }.map {
        Layer(.feature, id: $0.name, title: $0.alias, role: .table)
      }
      map.initialViewpoint =
        await viewpoint(of: shapes, in: store) ?? tiles?.webMap.initialViewpoint
      return MobileMapPackage(
        url: url, mapNamed: name, map,
        contents: FeatureFileContents(slot: slot, tiles: tiles?.contents))
    } catch {
      throw PackageError(error, file: url.lastPathComponent)
    }
  }

  /// Drawn from the bottom: areas, lines, points.
  private static func rank(_ schema: FeatureTableSchema) -> Int {
    switch schema.geometryType {
    case .polygon, .envelope: 2
    case .polyline: 1
    default: 0
    }
  }

  /// Around the features of all tables in the reference of the first.
  private func viewpoint(
    of schemas: [FeatureTableSchema], in store: any FeatureStore
  ) async -> Viewpoint? {
    guard let reference = schemas.first?.spatialReference else { return nil }
    var whole = Envelope.empty
    for schema in schemas where schema.spatialReference?.isEquivalent(to: reference) == true {
      // A table without an extent, or one that cannot be read, does not move the view.
      let extent = try? await store.extent(of: schema.name, matching: QueryParameters())
      whole = whole.union(extent ?? .empty)
    }
    return whole.isEmpty ? nil : .extent(whole, spatialReference: reference)
  }
}

/// The tables of a file as layers with the names of the tables as ids, over its tiles.
struct FeatureFileContents: LayerContentSource {
  let slot: FeatureFileSlot
  /// Finds the tiles of the basemap.
  let tiles: (any LayerContentSource)?

  func content(of layer: Layer) async -> LayerContent {
    if layer.role == .basemap, let tiles { return await tiles.content(of: layer) }
    do {
      let table = layer.id ?? layer.title
      let store = try await slot.store()
      let (schema, resource) = try await store.read { reader throws(FeatureStoreError) in
        (try reader.schema(of: table), try reader.layerResource(of: table))
      }
      return .features([
        FeatureLayerContent(
          store: store, schema: schema, layer: layer, resource: resource ?? [:])
      ])
    } catch {
      return .unavailable(reason: LayerProblem(error).sentence)
    }
  }

  func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    try await slot.openForEditing()
  }

  func endEditing() async { await slot.endEditing() }

  func close() async { await slot.close() }

  func checkEdits(of layer: Layer) async throws {
    guard layer.role != .basemap else { return }
    _ = try await slot.store().schemas()
  }
}
