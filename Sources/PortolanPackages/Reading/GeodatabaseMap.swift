internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A map made of all tables of a geodatabase, for files that come without one.
struct GeodatabaseMap {
  let url: URL
  /// Without one nothing can be edited.
  let editing: EditingEnvironment?

  /// A package with one map, in which points lie above lines and lines above areas.
  func package() async throws(PackageError) -> MobileMapPackage {
    let name = url.deletingPathExtension().lastPathComponent
    do {
      let slot = GeodatabaseSlot(place)
      let geodatabase = try await slot.geodatabase()
      let schemas = try await geodatabase.schemas()
      let shapes = schemas.filter { $0.geometryType != nil }
      var map = WebMap(
        spatialReference: shapes.first?.spatialReference ?? .webMercator,
        basemap: Basemap(title: ""))
      map.operationalLayers = shapes.sorted { Self.rank($0) > Self.rank($1) }.map {
        Layer(.feature, id: $0.name, title: $0.alias)
      }
      map.tables = schemas.filter { $0.geometryType == nil }.map {
        Layer(.feature, id: $0.name, title: $0.alias, role: .table)
      }
      if let viewpoint = await viewpoint(of: shapes, in: geodatabase) {
        map.initialViewpoint = viewpoint
      }
      return MobileMapPackage(
        url: url, mapNamed: name, map, contents: GeodatabaseLayerContents(slot: slot))
    } catch {
      throw PackageError(error, file: url.lastPathComponent)
    }
  }

  private var place: GeodatabaseSlot.Place {
    editing.map { .editable(url, $0) }
      ?? .readOnly(.file(url), reason: "it was opened for reading only")
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
    of schemas: [FeatureTableSchema], in geodatabase: any OpenGeodatabase
  ) async -> Viewpoint? {
    guard let reference = schemas.first?.spatialReference else { return nil }
    var whole = Envelope.empty
    for schema in schemas where schema.spatialReference?.isEquivalent(to: reference) == true {
      // A table without an extent, or one that cannot be read, does not move the view.
      let extent = try? await geodatabase.extent(of: schema.name, matching: QueryParameters())
      whole = whole.union(extent ?? .empty)
    }
    return whole.isEmpty ? nil : .extent(whole, spatialReference: reference)
  }
}

/// The tables of a geodatabase as layers with the names of the tables as ids.
struct GeodatabaseLayerContents: LayerContentSource {
  let slot: GeodatabaseSlot

  func content(of layer: Layer) async -> LayerContent {
    do {
      let table = layer.id ?? layer.title
      let geodatabase = try await slot.geodatabase()
      let (schema, resource) = try await geodatabase.read { reader throws(FeatureStoreError) in
        (try reader.schema(of: table), try reader.layerResource(of: table))
      }
      return .features([
        FeatureLayerContent(
          store: geodatabase, schema: schema, layer: layer, resource: resource ?? [:])
      ])
    } catch {
      return .unavailable(reason: LayerProblem(error).sentence)
    }
  }

  func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    try await slot.openForEditing()
  }

  func endEditing() async { await slot.endEditing() }
}
