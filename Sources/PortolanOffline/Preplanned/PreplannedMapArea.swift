public import PortolanGeometry
internal import PortolanJSON
public import PortolanPortal

/// An area of a web map that its owner has packaged for taking offline.
///
/// - SeeAlso: Docs/REST.md, 6
public struct PreplannedMapArea: Hashable, Sendable, Identifiable {
  /// Whether the portal has packaged the area.
  public enum PackagingStatus: String, Hashable, Sendable {
    case processing
    case complete
    case failed
  }

  /// The item of the area.
  public var portalItem: PortalItem
  /// Whether the portal has packaged the area; areas made before 2018 do not say, and are packaged.
  public var packagingStatus: PackagingStatus
  /// The area; `nil` if the portal does not give it in a readable way.
  public var areaOfInterest: Geometry?
  /// The spatial reference of ``areaOfInterest``.
  public var spatialReference: SpatialReference?
  /// When the server packages the area again, as a Quartz cron line in UTC.
  public var packageRefreshSchedule: String?
  /// The packages that the area consists of; none before ``load(from:)``.
  public var contentItems: [PortalItem] = []

  public var id: PortalItem.ID { portalItem.id }

  /// Whether it can be downloaded.
  public var canDownload: Bool { packagingStatus == .complete }
}

extension PreplannedMapArea {
  /// Creates an area of its item; its packages are asked for by ``load(from:)``.
  ///
  /// - Parameter item: The item, of the type *Map Area*.
  public init(portalItem item: PortalItem) { self.init(item: item) }

  /// Asks the portal whether the area is packaged by now, and for the packages that it consists of.
  ///
  /// - Parameter portal: The portal that has the area.
  /// - Throws: ``OfflineMapError/packagingNotComplete(area:)`` and
  ///   ``OfflineMapError/packagingFailed(area:)``; ``PortolanPortal/PortalError``. The area is as it
  ///   was then, but for its status.
  public mutating func load(from portal: Portal) async throws {
    let item = try await portal.item(id)
    let now = PreplannedMapArea(item: item)
    packagingStatus = now.packagingStatus
    switch packagingStatus {
    case .complete: break
    case .processing: throw OfflineMapError.packagingNotComplete(area: item.title)
    case .failed: throw OfflineMapError.packagingFailed(area: item.title)
    }
    contentItems = try await portal.relatedItems(to: id, through: .areaToPackage)
    portalItem = item
    packageRefreshSchedule = now.packageRefreshSchedule
  }

  /// The source of an area's shape.
  enum ShapeSource: Hashable {
    /// In the item's properties.
    case value(JSONValue)
    /// In a resource of the item.
    case resource(String)
    /// Nowhere but in the item's extent.
    case none
  }

  /// Reads the item of an area, except a shape in a resource.
  init(item: PortalItem) {
    portalItem = item
    let properties = item.properties ?? [:]
    packagingStatus =
      properties["status"]?.string.map { PackagingStatus(rawValue: $0.lowercased()) ?? .processing }
      ?? .complete
    packageRefreshSchedule = properties["packageRefreshSchedule"]?.string
    if case .value(let shape) = shapeSource { setShape(shape) }
    if areaOfInterest == nil, let extent = properties["extent"] { setShape(extent) }
    if areaOfInterest == nil, let extent = item.extent {
      areaOfInterest = .envelope(extent)
      spatialReference = .wgs84
    }
  }

  /// The source of the shape, as the item gives it.
  var shapeSource: ShapeSource {
    guard let area = portalItem.properties?["area"] else { return .none }
    if let name = area["resource"]?.string { return .resource(name) }
    return .value(area["polygon"] ?? area)
  }

  /// Takes over a polygon or an envelope in Esri JSON; one that cannot be read changes nothing.
  mutating func setShape(_ json: JSONValue) {
    let shape = json["polygon"] ?? json
    // The extent is there as well; a shape that is damaged is only less exact.
    guard let geometry = try? Geometry(esriJSON: shape), !geometry.isEmpty else { return }
    areaOfInterest = geometry
    spatialReference = SpatialReference(esriJSON: shape["spatialReference"])
  }
}
