internal import Foundation
internal import PortolanJSON
internal import PortolanTiles
internal import Synchronization

/// The definition of a region as it is stored in the cache; only that of a region of files changes, which grows
/// with each file that is merged into it.
struct RegionDefinition: Sendable {
  var plan: RegionPlan
  /// How many tiles it takes.
  var planned: Int
  var skipsBlank = false
  var blankTile: TileID?
  /// Whether its tiles are those of a file.
  var isImported = false

  var record: Data {
    var json: JSONObject = [
      "region": plan.region.json,
      "levels": [
        .integer(Int64(plan.levels.lowerBound)), .integer(Int64(plan.levels.upperBound)),
      ],
      "planned": .integer(Int64(planned)), "skipsBlank": .bool(skipsBlank),
      "imported": .bool(isImported),
    ]
    json["blank"] = blankTile.map { tile in
      .array([tile.level, tile.row, tile.column].map { .integer(Int64($0)) })
    }
    return JSONValue.object(json).encoded()
  }

  init(
    _ plan: RegionPlan, planned: Int, skipsBlank: Bool, blankTile: TileID?, isImported: Bool
  ) {
    self.plan = plan
    self.planned = planned
    self.skipsBlank = skipsBlank
    self.blankTile = blankTile
    self.isImported = isImported
  }

  /// Stands in for a record of an unknown format: the region has what it has.
  init(ofUnknownHolding count: Int) {
    self.init(
      RegionPlan(.world, levels: 0...MapCacheConfig.greatestZoom), planned: count,
      skipsBlank: false, blankTile: nil, isImported: true)
  }

  /// Reads a record; `nil` for one of an unknown format.
  init?(_ record: Data) {
    // What cannot be read is none.
    guard let json = try? JSONValue(parsing: record),
      let region = json["region"].flatMap({ TileRegion(json: $0) }),
      let first = json["levels"]?[0]?.int, let last = json["levels"]?[1]?.int, first <= last,
      first >= 0, last <= TileCoords.maximumZoom
    else { return nil }
    plan = RegionPlan(region, levels: first...last)
    planned = json["planned"]?.int ?? 0
    skipsBlank = json["skipsBlank"]?.bool ?? false
    isImported = json["imported"]?.bool ?? false
    if let blank = json["blank"]?.array?.compactMap(\.int), blank.count == 3 {
      blankTile = TileID(level: blank[0], row: blank[1], column: blank[2])
    }
  }
}

/// Definitions that were read: those of long lines take a while.
final class RegionDefinitions: Sendable {
  /// How many are kept.
  private static let limit = 64

  private let known = Mutex<[Data: RegionDefinition]>([:])

  /// What a record says; `nil` for one of an unknown format.
  func definition(_ record: Data) -> RegionDefinition? {
    if let known = known.withLock({ $0[record] }) { return known }
    guard let definition = RegionDefinition(record) else { return nil }
    known.withLock { known in
      if known.count >= Self.limit { known = [:] }
      known[record] = definition
    }
    return definition
  }
}
