import Foundation
import Testing

@testable import PortolanApp

@Suite struct MapListOrderTests {
  private static func row(
    _ title: String, _ bytes: Int, day: Double, isStored: Bool = true, summary: String? = nil
  ) -> MapListItem {
    let date = Date(timeIntervalSince1970: day * 86_400)
    return MapListItem(
      id: title, kind: .package, title: title, summary: summary, modified: date, byteCount: bytes,
      state: isStored
        ? .stored(
          StoredCopy(
            installed: date, omissions: [], hasUpdate: false, isOpen: false, transfer: nil))
        : .available)
  }

  private static let rows = [
    row("Map 10", 30, day: 1), row("map 9", 10, day: 3, summary: "Wells of Áras"),
    row("Élan", 20, day: 2), row("Away", 99, day: 9, isStored: false),
  ]

  @Test(arguments: [
    (MapListOrder.title, ["Élan", "map 9", "Map 10", "Away"]),
    (MapListOrder.size, ["Map 10", "Élan", "map 9", "Away"]),
    (MapListOrder.date, ["map 9", "Élan", "Map 10", "Away"]),
  ])
  func `Maps are sorted, those on this device first`(_ order: MapListOrder, _ titles: [String]) {
    #expect(Self.rows.sorted(by: order).map(\.title) == titles)
  }

  @Test(arguments: [
    ("map", ["Map 10", "map 9"]), ("ELAN", ["Élan"]), ("aras wells", ["map 9"]),
    ("nothing", []), (" ", ["Map 10", "map 9", "Élan", "Away"]),
  ])
  func `Maps are found by words of their titles and summaries`(_ text: String, _ titles: [String]) {
    #expect(Self.rows.matching(text).map(\.title) == titles)
  }
}
