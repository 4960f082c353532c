internal import Foundation
internal import PortolanFiles
internal import PortolanTileFiles
internal import PortolanTiles

/// Converts a tile file to another.
struct TileTransfer {
  let source: any TileSource
  let throttle: ProgressThrottle

  /// Writes the tiles to a file.
  func write(
    to url: URL, as format: TileFileFormat, replacing replaces: Bool = true
  ) async throws(TileError) -> ConversionResult {
    let name = source.info.name
    let conversion = TileConversion(from: source, to: url, as: format, replacing: replaces)
    let summary = try await conversion.run { [throttle] progress in
      throttle.report(
        ConversionProgress(
          part: name, unit: .tiles, completed: progress.done, total: progress.total))
    }
    var result = ConversionResult()
    result.tileSets = [ConversionResult.TileSet(name: name, counts: summary.tileCounts)]
    result.notes = summary.limitations.map(\.description)
    for damage in summary.damages { result.add(failure(damage)) }
    result.addUnlisted(summary.damagedCount - summary.damages.count)
    return result
  }

  private func failure(_ damage: TileError) -> ConversionResult.Failure {
    guard case .damagedTile(let id, _, let reason) = damage else {
      return ConversionResult.Failure(
        part: source.info.name, reason: damage.plainReason)
    }
    return ConversionResult.Failure(
      part: source.info.name, item: "tile \(id.address)", reason: reason)
  }
}
