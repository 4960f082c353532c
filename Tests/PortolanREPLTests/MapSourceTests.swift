import Foundation
import PortolanApp
import Testing

@testable import PortolanREPL

@Suite struct MapSourceTests {
  private static let id = "0123456789abcdef0123456789abcdef"

  private func item(isStored: Bool) -> MapListItem {
    MapListItem(
      id: Self.id, kind: .package, title: "Harbor",
      state: isStored ? .stored(StoredCopy(installed: .now)) : .available)
  }

  @Test(arguments: [id, "Harbor"])
  func `The id and the title of a stored map go before a file of that name`(_ text: String) {
    #expect(MapSource(text: text).isName(amongStored: [item(isStored: true)]))
    #expect(!MapSource(text: text).isName(amongStored: [item(isStored: false)]))
  }

  @Test(arguments: ["./\(id)", "./Harbor", "harbor", "Harb", "~", "."])
  func `A path and what is only like a name do not go before a file`(_ text: String) {
    #expect(!MapSource(text: text).isName(amongStored: [item(isStored: true)]))
  }

  @Test(arguments: ["town.mmpk", "Town.GPKG", "a/b", "..", "~/town"])
  func `What has a slash or ends as files do is a path whatever is stored`(_ text: String) {
    let stored = MapListItem(
      id: Self.id, kind: .package, title: text, state: .stored(StoredCopy(installed: .now)))
    #expect(!MapSource(text: text).isName(amongStored: [stored]))
    #expect(MapSource(text: text).isPath)
  }

  @Test(arguments: ["St. John's", "Version 1.2", "Harbor"])
  func `Other points in a name make no path of it`(_ text: String) {
    #expect(!MapSource(text: text).isPath)
  }
}
