internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanTiles

/// A region as text and as JSON.
struct TileRegionPage {
  let region: TileRegionSummary

  /// The result of a download.
  func ending(after pass: TileRegionsModel.Pass) -> CommandResult {
    let counts = region.counts
    let what = "\(TileText.count(counts.stored)), \(ByteCount.text(region.byteCount))"
    let isComplete =
      counts.failed == 0 && counts.failedUpdates == 0 && counts.remaining == 0
      && region.status != .empty
    let sentence =
      if region.status == .empty {
        counts.planned == 1
          ? "The server does not have the tile of \"\(region.name)\"."
          : "The server has none of the \(counts.planned) tiles of \"\(region.name)\"."
      } else if pass == .update, isComplete {
        "\"\(region.name)\" is up to date: \(what)."
      } else if counts.remaining > 0 {
        "\"\(region.name)\" has \(TileRegionText.tiles(region))."
      } else {
        "\"\(region.name)\" is on this device: \(what)."
      }
    return CommandResult(
      text: TextDocument(
        [.line(sentence)] + TileRegionText.notes(region).map { .paragraph($0, indent: 2) }),
      json: region.json, status: isComplete ? .done : .partlyDone)
  }
}

/// The regions of a cache.
struct TileRegionListPage {
  let regions: [TileRegionSummary]

  var result: CommandResult {
    CommandResult(text: text, json: ["regions": .array(regions.map(\.json))])
  }

  private var text: TextDocument {
    guard !regions.isEmpty else {
      return TextDocument("There are no regions; \"tiles download NAME\" makes one.")
    }
    let table = TextTable(
      [
        .init("region"), .init("source"), .init("levels", mayBeCut: false),
        .init("tiles", .right, mayBeCut: false), .init("size", .right, mayBeCut: false),
        .init("state"),
      ],
      rows: regions.map { region in
        [
          region.name, region.source, TileRegionText.levels(region.levels),
          TileRegionText.extent(region), ByteCount.text(region.byteCount),
          TileRegionText.phrase(region),
        ]
      })
    return TextDocument([.table(table)])
  }
}

/// A region with its levels and what failed.
struct TileRegionDetailsPage {
  let details: TileRegionDetails

  var result: CommandResult { CommandResult(text: TextDocument(blocks), json: details.json) }

  private var blocks: [TextDocument.Block] {
    let region = details.region
    let levels = TextTable(
      [
        .init("level", .right), .init("tiles", .right), .init("here", .right), .init("whole"),
      ],
      rows: details.coverage.map { level in
        ["\(level.level)", "\(level.planned)", "\(level.done)", level.isWhole ? "yes" : "no"]
      })
    return [
      .fields([
        .init("Region", region.name), .init("Source", region.source),
        .init("State", TileRegionText.phrase(region)),
        .init("Size", ByteCount.text(region.byteCount)),
      ]), .table(levels),
    ] + TileRegionText.notes(region).map { .paragraph($0, indent: 2) } + failures
  }

  private var failures: [TextDocument.Block] {
    guard !details.failures.isEmpty else { return [] }
    let table = TextTable(
      [
        .init("failed", mayBeCut: false), .init("tried", .right, mayBeCut: false), .init("why"),
      ],
      rows: details.failures.map { [$0.tile.address, "\($0.attempts)", $0.reason] })
    return [.table(table)]
  }
}

/// What a region would take.
struct TilePlanPage {
  let plan: TileRegionPlan

  var result: CommandResult {
    CommandResult(
      text: TextDocument(blocks), json: plan.json, status: plan.canDownload ? .done : .failed)
  }

  private var blocks: [TextDocument.Block] {
    let table = TextTable(
      [.init("level", .right), .init("tiles", .right)],
      rows: plan.levels.map { ["\($0.level)", "\($0.count)"] })
    var lines = ["In all: \(TileText.count(plan.count))\(size)."]
    if plan.crossesAntimeridian { lines.append("It lies on both sides of the antimeridian.") }
    lines += verdict
    return (plan.levels.isEmpty ? [] : [.table(table)]) + lines.map { .line($0) }
  }

  private var size: String {
    guard let size = plan.size else { return "" }
    let least = ByteCount.text(size.bytes.lowerBound)
    let most = ByteCount.text(size.bytes.upperBound)
    let range = least == most ? "about \(most)" : "\(least) to \(most)"
    return ", \(range), judging by \(size.sampleCount) of them"
  }

  private var verdict: [String] {
    if let obstacle = plan.obstacle {
      return [obstacle.message] + [obstacle.commandAdvice].compactMap(\.self)
    }
    switch plan.fits {
    case true?: return ["There is enough free space."]
    case false?: return ["There is not enough free space."]
    case nil: return []
    }
  }
}
