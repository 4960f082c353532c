internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanTiles

/// The tiles and the space that a region would take.
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
    // If there is no tile, the verdict says so.
    var lines = plan.count > 0 ? ["In all: \(TileText.count(plan.count))\(size)."] : []
    if plan.hasOnlyAbsentSamples {
      lines.append(
        "The source has none of the tiles that were looked at: its address, the levels or the area may be "
          + "wrong.")
    }
    if let problem = plan.sizeProblem { lines.append("Its size is unknown: \(problem)") }
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
