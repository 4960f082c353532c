internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanMap
internal import PortolanTileFiles

/// Finds the data of the layers of one map of a package.
struct PackageLayerContents: LayerContentSource {
  /// The folder of the map's document, in the package.
  let folder: String
  /// Opens the files.
  let sources: PackageDataSources

  var isPacked: Bool { sources.isPacked }

  func content(of layer: Layer) async -> LayerContent {
    if case .group = layer.kind { return .group }
    if case .feature(.featureCollection(let collection)) = layer.kind {
      return FeatureCollectionContent(collection: collection, layer: layer).content
    }
    guard let path = layer.path else {
      return .unavailable(
        reason: layer.offlineSupport.reason ?? "The package holds no data of this layer.")
    }
    do {
      let place = try path.resolved(relativeTo: folder)
      switch path.fileExtension {
      case "geodatabase":
        return try await features(of: layer, at: place, itemID: path.itemID)
      case "tpk", "tpkx", "vtpk": return try await tiles(of: layer, at: place)
      default:
        return .unavailable(
          reason: layer.offlineSupport.reason
            ?? "Files of the kind \"\(path.fileExtension)\" cannot be read.")
      }
    } catch {
      return .unavailable(reason: LayerProblem(error).sentence)
    }
  }

  func openForEditing(_ layer: Layer) async throws(FeatureEditError) {
    guard let path = layer.path, path.fileExtension == "geodatabase" else {
      throw .tableNotEditable(table: layer.title, reason: "its data are in no geodatabase")
    }
    let slot: FeatureFileSlot
    do {
      slot = try await sources.geodatabase(at: path.resolved(relativeTo: folder))
    } catch {
      throw .tableNotEditable(table: layer.title, reason: LayerProblem(error).sentence)
    }
    try await slot.openForEditing()
  }

  func endEditing() async { await sources.endEditing() }

  func close() async { await sources.close() }

  func checkEdits(of layer: Layer) async throws {
    guard let path = layer.path, path.fileExtension == "geodatabase" else { return }
    let place = try path.resolved(relativeTo: folder)
    _ = try await sources.geodatabase(at: place).store().schemas()
  }

  private func tiles(of layer: Layer, at place: String) async throws -> LayerContent {
    switch try await sources.tilePackage(at: place) {
    case .raster(let package): return .tiles(package)
    case .vector(let package):
      guard case .vectorTile(let style) = layer.kind, let path = style.itemPath else {
        return .vectorTiles(package)
      }
      // Folders may be written with a slash at their end.
      let place = PackagePath(path.path.split(separator: "/").joined(separator: "/"))
      // What leads out of the package is not found in it, which is reported.
      let resolved = try? place.resolved(relativeTo: folder)
      let styled = sources.styling(package, at: resolved ?? path.path)
      return styled.map(LayerContent.styledTiles) ?? .vectorTiles(package)
    }
  }

  private func features(
    of layer: Layer, at place: String, itemID: Int?
  ) async throws -> LayerContent {
    let geodatabase = try await sources.geodatabase(at: place).store()
    let schemas = try await geodatabase.schemas()
    let schema =
      schemas.first { itemID != nil && $0.serviceLayerID == itemID }
      ?? (schemas.count == 1 && itemID == nil ? schemas.first : nil)
    guard let schema else {
      throw LayerProblem(
        itemID.map { "\(place) holds no table for item \($0)." }
          ?? "The layer does not say which table of \(place) it shows.")
    }
    let resource = try await geodatabase.read { reader throws(FeatureStoreError) in
      try reader.layerResource(of: schema.name)
    }
    return .features([
      FeatureLayerContent(
        store: geodatabase, schema: schema, layer: layer, resource: resource ?? [:])
    ])
  }
}
