import Foundation
import Testing

@testable import PortolanLibrary

extension LibraryBed {
  /// Sets aside a map with edits whose tiles are cut, as a repair does.
  ///
  /// - Returns: The library that the map was in.
  func keepOne() async throws -> MapLibrary {
    let library = self.library()
    let map = try await install(in: library)
    do {
      let lease = try await library.open(map.id)
      try await library.beginEditing(lease)
      try Edits.add("mine", to: geodatabase(of: map))
    }
    try Data("x".utf8).write(to: layout.place(of: map).appending(path: "p13/tiles.tpkx"))
    let audit = self.audit(library)
    #expect(await audit.repair(try await audit.findings()).isEmpty)
    return library
  }
}
