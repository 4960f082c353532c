import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The messages of errors and findings: their subject, and the remedy.
@Suite struct LibrarySentenceTests {
  /// Each error, with the words that say what it is about.
  private static let errors: [(LibraryError, [String])] = [
    (.catalogue(file: "a.sqlite", reason: "no"), ["a.sqlite", "no"]),
    (.newerCatalogue(file: "a.sqlite", version: 9), ["a.sqlite", "9"]),
    (.damagedCatalogue(file: "a.sqlite", reason: "no"), ["a.sqlite", "no"]),
    (.catalogueGone(file: "a.sqlite"), ["a.sqlite", "deleted"]),
    (.busyCatalogue(file: "a.sqlite", by: "process 7"), ["a.sqlite", "process 7"]),
    (.busyCatalogue(file: "a.sqlite", by: nil), ["a.sqlite", "another process"]),
    (.readOnlyHome(file: "home", reason: "no"), ["home", "no"]),
    (.homeWithoutLocks("home"), ["home", "locks"]), (.diskFull(file: "a"), ["a", "full"]),
    (.takenFolder("home/maps"), ["home/maps", "not empty"]),
    (.unwritable(file: "a.tpkx", reason: "no"), ["a.tpkx", "no"]),
    (.unreadable(file: "a.tpkx", reason: "no"), ["a.tpkx", "no"]),
    (.durabilityUnknown(file: "a.tpkx", reason: "no"), ["a.tpkx", "no"]),
    (.damaged(file: "a.tpkx", reason: "no"), ["a.tpkx", "no"]),
    (
      .damagedMap(map: "Maine", reason: "a.tpkx is missing.", mayHoldEdits: false),
      ["\"Maine\"", "a.tpkx is missing."]
    ),
    (
      .damagedMap(map: "Maine", reason: "a.tpkx is missing.", mayHoldEdits: true),
      ["\"Maine\"", "a.tpkx is missing.", "edits"]
    ),
    (
      .damagedVersion(map: "Maine", reason: "a.tpkx is missing."),
      ["\"Maine\"", "a.tpkx is missing."]
    ),
    (.noSuchMap("Maine"), ["\"Maine\""]), (.notInTrash("Maine"), ["\"Maine\"", "trash"]),
    (.notInTrash(nil), ["trash"]),
    (.deletedAndKept(map: "Maine", name: "maine-1"), ["\"Maine\"", "\"maine-1\""]),
    (.notKept("maine-1"), ["\"maine-1\""]), (.noEarlierVersion(map: "Maine"), ["\"Maine\""]),
    (.filesMissing(map: "Maine"), ["\"Maine\""]),
    (.inUse(map: "Maine", by: "process 7"), ["\"Maine\"", "process 7"]),
    (.inUse(map: "Maine", by: nil), ["\"Maine\" is open."]),
    (.beingEdited(map: "Maine", by: "process 7"), ["\"Maine\"", "process 7"]),
    (.strayJournal(file: "a-wal", reason: "no"), ["\"a-wal\"", "no"]),
    (.beingWritten(file: "a.gpkg"), ["a.gpkg", "another program"]),
    (.beingWritten(file: "a.gpkg", by: "process 7"), ["a.gpkg", "process 7"]),
    (.notRecorded(map: "Maine"), ["\"Maine\"", "stored", "full"]),
    (.linkedFolder(file: "maps/a"), ["maps/a", "link"]),
    (.outdated(map: "Maine"), ["\"Maine\""]),
    (.unsentEdits(map: "Maine", count: 1), ["\"Maine\"", "an edit"]),
    (.unsentEdits(map: "Maine", count: 3), ["\"Maine\"", "3 edits"]),
    (.editsUnknown(map: "Maine", reason: "It is busy."), ["\"Maine\"", "It is busy."]),
    (.notOurs(file: "photos"), ["photos"]), (.cancelled, []),
  ]

  @Test(arguments: errors)
  func `An error says what it is about, and what helps`(_ error: LibraryError, _ words: [String]) {
    let sentence = error.errorDescription ?? ""
    #expect(words.allSatisfy(sentence.contains), "\(sentence)")
    #expect(sentence.hasSuffix(".") && !sentence.hasSuffix(".."))
    switch error {
    // There is nothing that anybody could do about it.
    case .notOurs, .cancelled: #expect(error.recoverySuggestion == nil)
    default: #expect(error.recoverySuggestion?.hasSuffix(".") == true, "\(error)")
    }
  }

  @Test(arguments: [
    LibraryError.unreadable(file: "a", reason: "no"), .unsentEdits(map: "a", count: 1),
    .editsUnknown(map: "a", reason: "No."), .beingWritten(file: "a"), .linkedFolder(file: "a"),
  ])
  func `A refusal says that nothing was changed`(_ error: LibraryError) {
    #expect(error.recoverySuggestion?.contains("Nothing was changed.") == true)
  }

  @Test func `Where no disk is at fault, nobody is sent to check one`() {
    let written = LibraryError.beingWritten(file: "a").recoverySuggestion
    #expect(written?.contains("other program") == true && written?.contains("disk") == false)
    let moved = LibraryError(.unwritable(file: "a", reason: FileError.otherDisk))
    #expect(moved.recoverySuggestion == "Keep all folders of the home on one disk.")
  }

  private static func map() throws -> StoredMap {
    StoredMap(
      id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
      title: "Maine", installed: Date(timeIntervalSince1970: 0), byteCount: 1)
  }

  @Test func `A finding names the map or the file, and what a repair does`() throws {
    let map = try Self.map()
    let url = URL(filePath: "/home/maps/casco")
    let named: [(LibraryFinding, String?)] = [
      (.filesMissing(map: map), "Bring the version before back"),
      (.damaged(map: map, reason: "No.", mayHoldEdits: true), "kept"),
      (.damaged(map: map, reason: "No.", mayHoldEdits: false), "trash"),
      (.incomplete(map: map, reason: "No."), nil), (.unreadable(map: map, reason: "No."), nil),
      (.halfDeleted(map: map), "Finish"), (.halfInstalled(map: map), "Finish"),
      (.unknownVersion(url, map: map), "earlier version"),
    ]
    for (finding, repair) in named {
      #expect(finding.sentence.contains("\"Maine\""), "\(finding.sentence)")
      #expect((finding.repair == nil) == (repair == nil))
      #expect(repair.map { finding.repair?.contains($0) == true } ?? true, "\(finding)")
    }
    let placed: [(LibraryFinding, String)] = [
      (.unrecorded(url, title: "Casco"), "list"), (.foreign(url, reason: "No."), "kept"),
      (.abandoned(url), "Remove it."), (.unknownTrash(url), "kept"), (.halfRemoved(url), "Finish"),
    ]
    for (finding, repair) in placed {
      #expect(finding.sentence.contains("casco"), "\(finding.sentence)")
      #expect(finding.repair?.contains(repair) == true)
    }
    let record = LibraryFinding.unreadableRecord("casco")
    #expect(record.sentence.contains("casco") && record.repair == nil)
  }

  @Test(arguments: [false, true])
  func `A damaged map that was imported is to be imported again`(_ mayHoldEdits: Bool) throws {
    var map = try Self.map()
    let downloaded = LibraryFinding.damaged(map: map, reason: "No.", mayHoldEdits: mayHoldEdits)
    #expect(downloaded.repair?.hasSuffix("so that it can be downloaded again.") == true)
    map.origin = .imported("maine.mmpk")
    let imported = LibraryFinding.damaged(map: map, reason: "No.", mayHoldEdits: mayHoldEdits)
    #expect(imported.repair?.hasSuffix("so that it can be imported again.") == true)
  }

  @Test func `A version that is no map is named with its folder`() {
    let folder = URL(filePath: "/home/maps/casco/1")
    #expect(
      LibraryFinding.foreign(folder, reason: "It is empty.").sentence
        == "casco/1 is not a map: It is empty.")
    let file = URL(filePath: "/home/packages/casco/2.mmpk")
    #expect(
      LibraryFinding.foreign(file, reason: "It is cut.").sentence
        == "casco/2.mmpk is not a map: It is cut.")
  }

  @Test func `A damaged catalogue is named, and what a repair does about it`() {
    let damage = CatalogueDamage(file: URL(filePath: "/home/library.sqlite"), reason: "it is cut")
    #expect(damage.sentence == "The catalogue library.sqlite is damaged: it is cut.")
    #expect(damage.repair.contains("a new one"))
  }
}
