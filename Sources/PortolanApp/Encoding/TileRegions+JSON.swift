internal import Foundation
public import PortolanJSON
internal import PortolanTileCache
internal import PortolanTiles

extension TileRegionSummary {
  /// The region as JSON output holds it.
  public var json: JSONValue {
    [
      "name": .string(name), "source": .string(source), "status": .string(status.rawValue),
      "levels": JSONValue(levels: levels), "extent": extent.json, "tiles": counts.json,
      "fraction": .number(fraction), "bytes": JSONValue(orNull: byteCount),
      "savedBytes": JSONValue(orNull: savedByteCount), "imported": .bool(isImported),
      "skipsBlank": .bool(skipsBlank), "created": JSONValue(orNull: created),
      "updated": JSONValue(orNull: updated), "reason": JSONValue(orNull: reason),
      "actions": JSONValue(texts: actions), "pace": pace?.json ?? .null,
      "hostWait": hostWait?.json ?? .null,
    ]
  }

  /// The progress of the region, as a line that shells print of a download in progress.
  public var progressJSON: JSONValue {
    [
      "region": .string(name), "status": .string(status.rawValue), "tiles": counts.json,
      "fraction": .number(fraction), "bytes": JSONValue(orNull: byteCount),
      "pace": pace?.json ?? .null, "hostWait": hostWait?.json ?? .null,
    ]
  }

  /// The actions that are possible on the region now.
  private var actions: [String] {
    [
      (canPause, "pause"), (canResume, "resume"), (canRetry, "retry"), (canUpdate, "update"),
      (canExport, "export"), (canDelete, "delete"),
    ].compactMap { $0 ? $1 : nil }
  }
}

extension TileRegionSummary.Counts {
  fileprivate var json: JSONValue {
    [
      "planned": JSONValue(orNull: planned), "stored": JSONValue(orNull: stored),
      "absent": JSONValue(orNull: absent), "blank": JSONValue(orNull: blank),
      "failed": JSONValue(orNull: failed), "remaining": JSONValue(orNull: remaining),
      "failedUpdates": JSONValue(orNull: failedUpdates), "checked": JSONValue(orNull: checked),
    ]
  }
}

extension TileRegionSummary.Pace {
  fileprivate var json: JSONValue {
    [
      "tilesPerSecond": JSONValue(orNull: tilesPerSecond),
      "bytesPerSecond": JSONValue(orNull: bytesPerSecond),
      "remainingSeconds": JSONValue(orNull: remainingSeconds),
    ]
  }
}

extension TileRegionDetails {
  /// The region with its levels and failures, as JSON output holds it.
  public var json: JSONValue {
    var members = region.json.object ?? [:]
    members["coverage"] = .array(
      coverage.map { level in
        [
          "level": JSONValue(orNull: level.level), "planned": JSONValue(orNull: level.planned),
          "done": JSONValue(orNull: level.done), "whole": .bool(level.isWhole),
        ]
      })
    members["failures"] = .array(failures.map(\.json))
    return .object(members)
  }
}

extension TileCoveragePicture {
  /// The picture as JSON output holds it: tiles as `[column, row]`.
  public var json: JSONValue {
    func places(_ tiles: [TileID]) -> JSONValue {
      .array(tiles.map { .array([JSONValue(orNull: $0.column), JSONValue(orNull: $0.row)]) })
    }
    return [
      "level": JSONValue(orNull: level), "done": places(done), "failed": places(failed),
      "missing": places(missing),
    ]
  }
}

extension TileFailure {
  /// The failure as JSON output holds it.
  public var json: JSONValue {
    [
      "tile": .string(tile.address), "reason": .string(reason),
      "attempts": JSONValue(orNull: attempts), "time": JSONValue(orNull: time),
    ]
  }
}

extension TileRegionExtent {
  /// The extent as JSON output holds it, in degrees and metres.
  public var json: JSONValue { region.json }

  /// Reads the extent of a document; `nil` if it is none.
  public init?(json: JSONValue) {
    guard let region = TileRegion(json: json) else { return nil }
    self.init(region)
  }
}

extension JSONValue {
  /// Levels from one to another.
  fileprivate init(levels: ClosedRange<Int>?) {
    self =
      levels.map { .array([JSONValue(orNull: $0.lowerBound), JSONValue(orNull: $0.upperBound)]) }
      ?? .null
  }
}

extension TileRegionPlan {
  /// The plan as JSON output holds it.
  public var json: JSONValue {
    [
      "name": .string(request.name), "source": .string(source), "count": JSONValue(orNull: count),
      "levels": .array(levels.map(\.json)), "crossesAntimeridian": .bool(crossesAntimeridian),
      "leastBytes": JSONValue(orNull: size?.bytes.lowerBound),
      "mostBytes": JSONValue(orNull: size?.bytes.upperBound),
      "likelyBytes": JSONValue(orNull: size?.likelyBytes),
      "samples": JSONValue(orNull: size?.sampleCount),
      "sizeProblem": JSONValue(orNull: sizeProblem), "freeBytes": JSONValue(orNull: freeBytes),
      "extent": request.extent.json, "obstacle": obstacle?.json ?? .null,
      "canDownload": .bool(canDownload),
    ]
  }
}

extension TileRegionPlan.Level {
  /// The level as JSON output holds it.
  public var json: JSONValue {
    ["level": JSONValue(orNull: level), "count": JSONValue(orNull: count)]
  }
}

extension TileSourceSummary {
  /// The source as JSON output holds it.
  public var json: JSONValue {
    [
      "name": .string(name), "address": .string(address), "levels": JSONValue(levels: levels),
      "bulkLevels": JSONValue(levels: bulkLevels), "attribution": JSONValue(orNull: attribution),
      "imported": .bool(isImported), "tiles": JSONValue(orNull: tileCount),
      "bytes": JSONValue(orNull: byteCount), "hits": JSONValue(orNull: hits),
      "misses": JSONValue(orNull: misses),
    ]
  }
}

extension TileCacheUsage {
  /// The figures as the documents of shells hold them.
  public var json: JSONValue {
    [
      "tiles": JSONValue(orNull: tileCount), "absent": JSONValue(orNull: absentCount),
      "bytes": JSONValue(orNull: byteCount), "regionBytes": JSONValue(orNull: pinnedByteCount),
      "otherBytes": JSONValue(orNull: ambientByteCount),
      "fileBytes": JSONValue(orNull: fileByteCount), "capacity": JSONValue(orNull: capacity),
      "file": .string(file),
    ]
  }
}

extension TileRegionsModel.State {
  /// The screen as JSON output holds it.
  public var json: JSONValue {
    [
      "isLoaded": .bool(isLoaded), "sources": .array(sources.map(\.json)),
      "regions": .array(regions.map(\.json)), "usage": usage?.json ?? .null,
      "setAside": .array(setAside.map(\.json)), "drafts": .object(draftsJSON),
      "server": server?.json ?? .null,
      "problem": problem?.json ?? .null,
    ]
  }

  /// The regions that are being drawn, by who draws them.
  private var draftsJSON: JSONObject {
    var members = JSONObject()
    for draft in drafts { members[draft.drawer] = draft.plan.json }
    return members
  }

  /// The content of the cache, as JSON output holds it.
  public var statusJSON: JSONValue {
    [
      "cache": usage?.json ?? .null, "sources": .array(sources.map(\.json)),
      "regions": .array(regions.map(\.json)), "setAside": .array(setAside.map(\.json)),
    ]
  }
}

extension SetAsideTileCache {
  /// The file as JSON output holds it.
  public var json: JSONValue { ["file": .string(file), "bytes": JSONValue(orNull: byteCount)] }
}

extension FreedTiles {
  /// The freed tiles and space, as JSON output holds them.
  public var json: JSONValue {
    [
      "tiles": JSONValue(orNull: tileCount), "bytes": JSONValue(orNull: byteCount),
      "sharedBytes": JSONValue(orNull: sharedByteCount),
      "fileBytes": JSONValue(orNull: fileByteCount),
    ]
  }
}

extension TileReading {
  /// The tile, without its bytes, as JSON output holds it.
  public var json: JSONValue {
    [
      "source": .string(source), "tile": .string(tile.address), "path": .string(path.rawValue),
      "bytes": JSONValue(orNull: data?.count), "format": JSONValue(orNull: format),
      "absent": .bool(data == nil), "fetched": JSONValue(orNull: fetched),
      "ageSeconds": JSONValue(orNull: age.rounded()),
      "ancestor": JSONValue(orNull: ancestor?.address), "enlarged": .bool(isEnlarged),
      "problem": problem?.json ?? .null,
    ]
  }
}

extension TileKnowledge {
  /// The known facts about the tile, as JSON output holds them.
  public var json: JSONValue {
    [
      "source": .string(source), "tile": .string(tile.address), "why": .string(sentence),
      "known": .bool(isKnown), "bytes": JSONValue(orNull: byteCount),
      "fetched": JSONValue(orNull: fetched), "lifetimeSeconds": JSONValue(orNull: lifetime),
      "regions": .array(
        regions.map { region in
          var members: JSONObject = [
            "name": .string(region.name), "part": .string(region.part.word),
          ]
          if case .failed(let failure) = region.part { members["failure"] = failure.json }
          return .object(members)
        }),
    ]
  }
}

extension TileKnowledge.Part {
  /// The part as a word.
  public var word: String {
    switch self {
    case .kept: "kept"
    case .blank: "blank"
    case .missing: "missing"
    case .failed: "failed"
    }
  }
}

extension TileExportResult {
  /// The result of an export, as JSON output holds it.
  public var json: JSONValue {
    [
      "region": .string(region), "file": .string(file), "tiles": JSONValue(orNull: tileCount),
      "levels": .array(levels.map(\.json)), "bytes": JSONValue(orNull: byteCount),
      "missing": JSONValue(orNull: missingCount), "damaged": JSONValue(orNull: damagedCount),
      "damages": JSONValue(texts: damages),
    ]
  }
}

extension TileImportResult {
  /// The result of an import, as JSON output holds it.
  public var json: JSONValue {
    [
      "region": region.json, "tiles": JSONValue(orNull: tileCount),
      "leftOut": JSONValue(orNull: leftOutCount), "older": JSONValue(orNull: olderCount),
      "damaged": JSONValue(orNull: damagedCount), "skipped": .bool(isSkipped),
    ]
  }
}

extension TileServing {
  /// The address of the tiles, as JSON output holds it.
  public var json: JSONValue {
    ["url": .string(url.absoluteString), "layers": .array(layers.map(\.json))]
  }
}

extension TileServing.Layer {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "xyz": JSONValue(orNull: template),
      "tilejson": JSONValue(orNull: tileJSON?.absoluteString), "wmts": .string(wmts.absoluteString),
    ]
  }
}
