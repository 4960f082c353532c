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
