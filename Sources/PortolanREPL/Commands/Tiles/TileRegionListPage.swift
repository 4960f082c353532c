internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanTiles

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
