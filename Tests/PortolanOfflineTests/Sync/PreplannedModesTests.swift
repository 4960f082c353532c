import Foundation
import PortolanFeatures
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase
@testable import PortolanOffline

/// The record of an area on the update mode of its geodatabases.
@Suite(.temporaryDirectory) struct PreplannedModesTests {
  private typealias Mode = DownloadPreplannedOfflineMapParameters.UpdateMode

  private static let replica = "11111111-2222-3333-4444-555555555555"
  private static let item = "b0000000000000000000000000000001"
  private static let path = "p13/a.geodatabase"

  private func read(_ record: String) throws -> PreplannedModes {
    let folder = temporaryDirectory.appending(path: "p13")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(record.utf8).write(to: folder.appending(path: "mobile_map.marea"))
    return PreplannedModes(of: temporaryDirectory)
  }

  private func modes(
    _ mode: String, replica: String = Self.replica, item: String = Self.item
  ) throws -> PreplannedModes {
    try read(
      """
      {"packages": [{"path": "file:./a.geodatabase", "preplannedUpdateMode": "\(mode)",
        "originalReplicaID": "\(replica)", "packagePortalItemID": "\(item)"}]}
      """)
  }

  @Test(arguments: [replica, "{\(replica)}"])
  func `A geodatabase is known by its path, with its item and the copy that it began as`(
    _ replica: String
  ) throws {
    let modes = try modes("downloadScheduledUpdates", replica: replica)
    let entry = try #require(modes[Self.path])
    #expect(entry.mode == .downloadScheduledUpdates && entry.item?.text == Self.item)
    #expect(entry.replica == UUID(uuidString: Self.replica))
    #expect(modes["a.geodatabase"]?.mode == nil && modes["p13/b.geodatabase"]?.mode == nil)
  }

  @Test func `An id that is none leaves the rest known`() throws {
    let zeros = "00000000-0000-0000-0000-000000000000"
    for (replica, item) in [(zeros, "../a"), ("{\(zeros)}", "a b"), ("r1", "")] {
      let entry = try #require(
        try modes("syncWithFeatureServices", replica: replica, item: item)[Self.path])
      #expect(entry.mode == .syncWithFeatureServices && entry.replica == nil && entry.item == nil)
    }
  }

  @Test(arguments: ["", "{", #"{"packages": [{"path": "file:./a.geodatabase"}]}"#])
  func `A record that cannot be read, or knows no mode, says nothing`(_ record: String) throws {
    let modes = try read(record)
    #expect(modes[Self.path]?.mode == nil && !modes.canSynchronize(Self.path))
    #expect(try self.modes("sometimes")[Self.path]?.mode == nil)
    let none = PreplannedModes(of: temporaryDirectory.appending(path: "none"))
    #expect(none[Self.path]?.mode == nil)
  }

  @Test func `Each mode says what is synchronized, and which edits are sent`() throws {
    let sent: [String: [String]] = [
      "noUpdates": [], "downloadScheduledUpdates": [],
      "downloadScheduledUpdatesAndUploadNewFeatures": ["add"],
      "syncWithFeatureServices": ["add", "update", "delete", "attachments"],
    ]
    #expect(Set(sent.keys) == Set(Mode.allCases.map(\.rawValue)))
    for (mode, edits) in sent {
      let modes = try modes(mode)
      #expect(modes.canSynchronize(Self.path) == (mode != "noUpdates"), "\(mode)")
      let all = ["add", "update", "delete", "attachments"]
      #expect(all.filter { modes.sends(issue($0), of: Self.path) } == edits, "\(mode)")
      // Of a file that the record does not name nothing speaks against it.
      #expect(all.allSatisfy { modes.sends(issue($0), of: "p13/b.geodatabase") })
    }
  }

  @Test func `An attachment that was rejected with a new feature is sent again`() throws {
    let modes = try modes("downloadScheduledUpdatesAndUploadNewFeatures")
    #expect(modes.sends(issue("attachments", .rejected), of: Self.path))
  }

  private func issue(_ edit: String, _ kind: SyncIssue.Kind = .conflict) -> SyncIssue {
    SyncIssue(
      id: 1, kind: kind, table: "Huts", layerID: 1, objectID: 7, globalID: "{A}", edit: edit,
      theirs: nil, isGoneThere: false)
  }
}
