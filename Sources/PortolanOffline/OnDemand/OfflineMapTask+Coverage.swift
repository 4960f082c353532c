internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanPortal

extension OfflineMapTask {
  /// Refuses an area that lies outside of what the map covers, of which an empty map would be stored.
  ///
  /// The extent of the map's item counts, and those of its feature services, or of its tiles where it has none of
  /// those: an item may have the extent of the screen on which the map was saved. Where the item or one of the
  /// services does not say what it covers, or the area cannot be compared, nothing is refused.
  ///
  /// - Throws: ``OfflineMapError/areaOutside(map:exchanged:)``, ``PortolanPortal/PortalError``.
  public func checkCoverage(of area: OfflineArea) async throws {
    let item = try await portal.item(webMap)
    guard let extent = item.extent, let box = area.degrees,
      !extent.intersects(box, worldWidth: Self.worldWidth)
    else { return }
    let sources = try await MapSources.load(webMap, from: portal)
    guard let extents = sources.extents,
      !extents.contains(where: { $0.intersects(box, worldWidth: Self.worldWidth) })
    else { return }
    let exchanged = area.exchanged.flatMap {
      extent.intersects($0, worldWidth: Self.worldWidth) ? $0 : nil
    }
    throw OfflineMapError.areaOutside(map: item.title, exchanged: exchanged)
  }

  /// How long the equator is, in degrees.
  private static let worldWidth = 360.0
}

extension OfflineArea {
  /// The box around it in degrees; `nil` where nothing says what its coordinates mean.
  fileprivate var degrees: Envelope? {
    if spatialReference.isWGS84 { return extent }
    // Coordinates without a known reference are left to the services to refuse.
    return try? projected(to: .wgs84).extent
  }

  /// A box in degrees with latitude and longitude exchanged; `nil` where that is no place.
  fileprivate var exchanged: Envelope? {
    guard case .envelope(let box) = geometry, spatialReference.isWGS84 else { return nil }
    let exchanged = Envelope(xMin: box.yMin, yMin: box.xMin, xMax: box.yMax, yMax: box.xMax)
    return exchanged.yMin >= -90 && exchanged.yMax <= 90 ? exchanged : nil
  }
}

extension MapSources {
  /// What the services say that they cover, in degrees; `nil` where one of them does not say it.
  fileprivate var extents: [Envelope]? {
    let stated = features.isEmpty ? tileExtents : featureExtents
    var extents: [Envelope] = []
    for (extent, reference) in stated {
      guard let extent, let reference,
        // As above.
        let degrees = try? Projection(from: reference, to: .wgs84).project(extent)
      else { return nil }
      extents.append(degrees)
    }
    return extents
  }

  private typealias StatedExtent = (extent: Envelope?, reference: SpatialReference?)

  /// What each feature service states; one that has tables only covers nothing.
  private var featureExtents: [StatedExtent] {
    features.values.filter { source in
      source.layers.contains { $0.schema.map { $0.geometryType != nil } ?? true }
    }.map { ($0.info.fullExtent, $0.info.spatialReference) }
  }

  private var tileExtents: [StatedExtent] {
    tiles.values.map { ($0.info.fullExtent, $0.info.spatialReference) }
  }
}
