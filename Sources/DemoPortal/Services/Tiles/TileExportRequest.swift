internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanTiles

/// The tiles that a request to export them asks for.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct TileExportRequest: Sendable {
  /// The form of the package that is wanted.
  enum Storage: Sendable {
    case compact
    case compactV2
  }

  var levels: [Int]
  var extent: Envelope
  /// The area inside ``extent`` that tiles must touch.
  var area: Geometry?
  var storage: Storage
  /// How good pictures are to be, from 0 to 100; 0 for as they are.
  var quality: Int

  /// Reads a request for tiles of `renderer`.
  ///
  /// - Throws: ``DemoFailure`` for levels or an area that make no sense.
  init(_ parameters: DemoParameters, _ renderer: any TileRenderer) throws {
    levels = try Self.levels(parameters, renderer)
    extent = renderer.fullExtent
    let reference = renderer.scheme.spatialReference
    if let area = try Self.area(parameters, reference) {
      self.area = area
      extent = area.extent ?? .empty
    } else if let text = parameters["exportExtent"], text.uppercased() != "DEFAULT" {
      let (box, own) = try SpatialFilter.geometry(text)
      guard box.type == .envelope else { throw DemoFailure.badRequest("'exportExtent' is no box.") }
      extent = try Self.projected(box, from: own, to: reference).extent ?? .empty
    }
    extent = extent.intersection(renderer.fullExtent) ?? .empty
    let format = parameters.first(of: "storageFormat", "storageFormatType")?.lowercased() ?? ""
    storage = format.hasSuffix("compactv2") ? .compactV2 : .compact
    quality = parameters["compressionQuality"].flatMap { Int($0) } ?? 0
    // Clients send -1 for as they are.
    guard (-1...100).contains(quality) else {
      throw DemoFailure.badRequest("'compressionQuality' is invalid: \(quality).")
    }
  }

  /// The tiles, level by level.
  func ranges(of renderer: any TileRenderer) -> [TileRange] {
    guard !extent.isEmpty else { return [] }
    return levels.compactMap { renderer.scheme.range(covering: extent, level: $0) }
  }

  /// Whether the area touches a tile.
  func wants(_ id: TileID, of renderer: any TileRenderer) -> Bool {
    guard let area else { return true }
    return renderer.scheme.envelope(of: id).map(area.intersects) ?? false
  }

  // MARK: Levels

  private static func levels(
    _ parameters: DemoParameters, _ renderer: any TileRenderer
  ) throws(DemoFailure) -> [Int] {
    let way = parameters["exportBy"]?.lowercased() ?? "levelid"
    var found: Set<Int> = []
    for part in parameters.list("levels") {
      if way == "levelid" {
        guard let range = range(part) else { throw .badRequest("'levels' is invalid: \(part).") }
        // Levels that there are not are passed over, so that a huge range costs nothing.
        found.formUnion(renderer.levels.filter(range.contains))
      } else if let number = Double(part) {
        let level = renderer.scheme.levels.min {
          abs((way == "scale" ? $0.scale : $0.resolution) - number)
            < abs((way == "scale" ? $1.scale : $1.resolution) - number)
        }
        if let level, renderer.levels.contains(level.level) { found.insert(level.level) }
      } else {
        throw .badRequest("'levels' is invalid: \(part).")
      }
    }
    let isMissing = parameters["levels"] == nil
    guard isMissing || !found.isEmpty else {
      throw .badRequest("'levels' has none that the service has.")
    }
    return isMissing ? Array(renderer.levels) : found.sorted()
  }

  /// `3` or `3-7`.
  private static func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-").map { Int($0.trimmedOfBlanks) }
    guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2,
      first <= last
    else { return nil }
    return first...last
  }

  // MARK: Area

  /// The polygon of `areaOfInterest`, a feature set or a shape, or of `polygon`.
  private static func area(
    _ parameters: DemoParameters, _ reference: SpatialReference
  ) throws -> Geometry? {
    guard
      let json = try parameters.json("areaOfInterest") ?? parameters.json("polygon")
    else { return nil }
    let shape = json["features"]?[0]?["geometry"] ?? json
    do {
      let source =
        SpatialReference(esriJSON: shape["spatialReference"])
        ?? SpatialReference(esriJSON: json["spatialReference"])
      return try projected(try Geometry(esriJSON: shape), from: source, to: reference)
    } catch let error as GeometryError {
      throw DemoFailure.badRequest("The area is invalid: \(error.localizedDescription)")
    }
  }

  private static func projected(
    _ geometry: Geometry, from source: SpatialReference?, to target: SpatialReference
  ) throws -> Geometry {
    try Projection(from: source ?? target, to: target).project(geometry)
  }
}
