import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Versions with damaged files, which are not brought back, and can be left.
@Suite(.temporaryDirectory) struct DamagedVersionTests {
  /// The damage to a part, and the message about it.
  enum Damage: CaseIterable {
    case missing, cut

    static let part = "p13/tiles.tpkx"

    var sentence: String {
      switch self {
      case .missing: "p13/tiles.tpkx is missing."
      case .cut: "p13/tiles.tpkx has 4999 of 5000 bytes."
      }
    }

    func happen(in place: URL) throws {
      let url = place.appending(path: Self.part)
      switch self {
      case .missing: try FileManager.default.removeItem(at: url)
      case .cut: try Data(contentsOf: url).dropLast().write(to: url)
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `A version with a missing or truncated part is not restored`(
    _ damage: Damage
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(info: "first", in: library)
    let second = try await bed.install(info: "second", in: library)
    try damage.happen(in: bed.layout.place(of: first))
    let error = LibraryError.damagedVersion(map: "Map a", reason: damage.sentence)
    await #expect(throws: error) { try await library.rollBack(first.id) }
    #expect(try await library.maps() == [second])
    #expect(try await library.earlierVersions(of: first.id).map(\.map) == [first])
  }

  @Test(arguments: Damage.allCases)
  func `A sound version comes back in the place of a damaged one, which does not return`(
    _ damage: Damage
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let first = try await bed.install(info: "first", in: library)
    let second = try await bed.install(info: "second", in: library)
    try damage.happen(in: bed.layout.place(of: second))
    #expect(try await library.rollBack(first.id) == first)
    await #expect(throws: LibraryError.self) { try await library.rollBack(first.id) }
    #expect(try await library.maps() == [first])
  }

  @Test func `Edits in a damaged version keep it from being rolled back, as in any other`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    try await bed.install(in: library)
    let second = try await bed.install(in: library)
    try Edits.add("mine", to: bed.geodatabase(of: second))
    try Damage.missing.happen(in: bed.layout.place(of: second))
    await #expect(throws: LibraryError.unsentEdits(map: "Map a", count: 1)) {
      try await library.rollBack(second.id)
    }
    #expect(try await library.maps() == [second])
  }

  @Test func `Damage is reported together with whether the map may hold edits`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let map = try await bed.install(in: library)
    #expect(try await library.damage(of: map) == nil)
    try Damage.missing.happen(in: bed.layout.place(of: map))
    let sentence = Damage.missing.sentence
    #expect(
      try await library.damage(of: map) == MapDamage(faults: [sentence], mayHoldEdits: false))
    try Edits.add("mine", to: bed.geodatabase(of: map))
    #expect(
      try await library.damage(of: map) == MapDamage(faults: [sentence], mayHoldEdits: true))
  }
}
