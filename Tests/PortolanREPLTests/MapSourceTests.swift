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

  @Test func `The id of a stored map goes before a folder of that name`() {
    #expect(MapSource(text: Self.id).isID(amongStored: [item(isStored: true)]))
    #expect(!MapSource(text: Self.id).isID(amongStored: [item(isStored: false)]))
  }

  @Test(arguments: ["./\(id)", "Harbor", "~"])
  func `A title or a path does not go before a file`(_ text: String) {
    #expect(!MapSource(text: text).isID(amongStored: [item(isStored: true)]))
  }
}
