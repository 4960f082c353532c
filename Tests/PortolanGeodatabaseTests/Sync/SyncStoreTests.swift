import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The record of a file's synchronization, part by part.
@Suite(.temporaryDirectory) struct SyncStoreTests {
  private var url: URL { temporaryDirectory.appending(path: "file.geodatabase") }

  private func store() throws -> SyncStore {
    try ContractGeodatabase.write(EditingTables.all, isChangeTracked: true, to: url)
    return SyncStore(file: try EditedFile(url, GeodatabaseFormat(), EsriFunctions()))
  }

  private func issue(_ objectID: Int64) -> SyncIssue {
    SyncIssue(
      id: 0, kind: .rejected, table: "Huts", layerID: 7, objectID: objectID,
      globalID: EditingTables.hutID(objectID), edit: "update", theirs: nil, isGoneThere: true,
      code: 1_000, reason: "Not on a Sunday.", attachments: ["{1}", "{2}"])
  }

  private func file(
    _ id: String, of parent: String, _ bytes: UInt8...
  ) -> GeodatabaseDelta.File {
    GeodatabaseDelta.File(
      NewAttachment(name: "n", contentType: "t", data: Data(bytes), globalID: id),
      parentGlobalID: parent)
  }

  @Test func `The last home, and the last request for a copy, are those that are known`() throws {
    let store = try store()
    #expect(try store.home() == nil)
    #expect(try store.requestedCopy() == nil)
    // A request that was never made is not written down.
    try store.setRequested(nil)
    let tables = "SELECT 1 FROM sqlite_schema WHERE name LIKE 'portolan%'"
    #expect(try store.file.rows(tables, in: "a test").isEmpty)
    for name in ["one", "two"] {
      try store.setHome(name)
      try store.setRequested(RequestedCopy(name: name, home: name))
      #expect(try store.home() == name)
      #expect(try store.requestedCopy() == RequestedCopy(name: name, home: name))
    }
    try store.setRequested(nil)
    #expect(try store.requestedCopy() == nil)
    #expect(try store.home() == "two")
  }

  @Test func `Issues are kept as they are, under numbers that are used once`() throws {
    let store = try store()
    #expect(try store.all().isEmpty)
    #expect(try [3, 4].map { try store.add(issue($0)) } == [1, 2])
    try store.remove(2)
    #expect(try store.add(issue(9)) == 3)
    var expected = [issue(3), issue(9)]
    expected[0].id = 1
    expected[1].id = 3
    #expect(try store.all() == expected)
    #expect(try !store.hasUnreadableIssues())
    try store.file.run(
      "INSERT INTO portolan_sync_issues (record) VALUES ('{}')", in: "a test")
    #expect(try store.all() == expected)
    #expect(try store.hasUnreadableIssues())
  }

  @Test func `A feature has one issue, the last, with the attachments of those before`() throws {
    let store = try store()
    let list = try SyncIssueList(store)
    var edit = issue(3)
    let plainID = edit.globalID.filter { $0 != "{" && $0 != "}" }
    try list.put(edit)
    edit.globalID = plainID
    edit.attachments = ["{3}", "{2}"]
    try list.put(edit)
    edit.attachments = nil
    edit.code = 1_001
    try list.put(edit)
    #expect(list.all.map(\.id) == [3])
    #expect(list[7, EditingTables.hutID(3)]?.attachments == ["{1}", "{2}", "{3}"])
    #expect(list[8, plainID] == nil)
    #expect(try SyncIssueList(store).all == list.all)
    try list.remove(try #require(list[7, plainID]))
    #expect(list.all.isEmpty)
    #expect(try store.all().isEmpty)
  }

  @Test func `An issue that says the same again keeps its number`() throws {
    let store = try store()
    let list = try SyncIssueList(store)
    for _ in 1...2 { try list.put(issue(3)) }
    // Attachments of before count as well.
    var edit = issue(3)
    edit.attachments = ["{2}"]
    try list.put(edit)
    #expect(list.all.map(\.id) == [1] && list.all[0].attachments == ["{1}", "{2}"])
    edit.reason = "Not on a Monday."
    try list.put(edit)
    #expect(list.all.map(\.id) == [2])
    #expect(try store.all() == list.all)
  }

  @Test func `Attachments that wait elsewhere are no part of the next issue`() throws {
    let store = try store()
    let list = try SyncIssueList(store)
    var waiting = issue(4)
    waiting.kind = .unstorable
    try list.put(waiting)
    #expect(list.hasUnstorable(ofLayer: 7) && !list.hasUnstorable(ofLayer: 8))
    var next = issue(4)
    next.attachments = nil
    try list.put(next)
    #expect(!list.hasUnstorable(ofLayer: 7))
    #expect(list.all.map(\.kind) == [.rejected] && list.all.map(\.attachments) == [nil])
  }

  @Test func `Attachments that the file cannot hold are kept with what is in them`() throws {
    let store = try store()
    #expect(try store.withheldFiles().isEmpty)
    let (first, second) = (file("{A}", of: "{P}", 1, 0, 2), file("{B}", of: "{Q}"))
    _ = try store.add(first, "{A}", ofLayer: 7)
    _ = try store.add(second, "{B}", ofLayer: 8)
    let entries = try store.withheldFiles()
    #expect(entries.map(\.id) == [1, 2] && entries.map(\.layerID) == [7, 8])
    #expect(entries.map(\.parent) == ["{P}", "{Q}"])
    #expect(entries.map(\.attachment) == ["{A}", "{B}"])
    #expect(try entries.map { try store.withheldFile($0) } == [first, second])
    try store.remove(entries[0])
    #expect(try store.withheldFile(entries[0]) == nil)
    #expect(try store.withheldFiles().map(\.id) == [2])
  }

  @Test func `Of a repeated attachment the last is kept, layer by layer`() throws {
    let store = try store()
    let files = try WithheldFiles(store)
    try files.put(file("{AB}", of: "{CD}", 1), 7)
    try files.put(file("ab", of: "{CD}", 2), 7)
    try files.put(file("{AB}", of: "{CD}", 3), 8)
    try files.put(file("{EF}", of: "{CD}", 4), 7)
    // The stored state of a layer, and that which another transaction finds of it.
    func bytes(_ layerID: Int) throws -> [[Data?]] {
      try [files, WithheldFiles(store)].map { files in
        try files.entries(ofLayer: layerID).map { try files.file($0)?.attachment.data }
      }
    }
    #expect(try bytes(7) == [[Data([2]), Data([4])], [Data([2]), Data([4])]])
    #expect(try bytes(8) == [[Data([3])], [Data([3])]])
    try files.remove("{ef}", 7)
    #expect(try bytes(7) == [[Data([2])], [Data([2])]])
    try files.remove(of: "cd", 7)
    #expect(try bytes(7) == [[], []])
    #expect(try bytes(8) == [[Data([3])], [Data([3])]])
    try files.removeAll()
    #expect(try bytes(8) == [[], []])
  }

  @Test func `Changes received in parts are counted together, and layer by layer`() {
    var receipt = SyncReceipt()
    (receipt.adds, receipt.updates, receipt.deletes) = (1, 2, 3)
    receipt.note(since: SyncReceipt(), ofLayer: 5)
    let earlier = receipt
    (receipt.adds, receipt.deletes) = (11, 33)
    receipt.note(since: earlier, ofLayer: 7)
    let unchanged = receipt
    receipt.note(since: unchanged, ofLayer: 9)
    var later = SyncReceipt()
    (later.adds, later.updates, later.deletes) = (100, 200, 300)
    (later.conflicts, later.withheld) = (4, 5)
    later.note(since: SyncReceipt(), ofLayer: 5)
    receipt.add(later)
    #expect(receipt.adds == 111 && receipt.updates == 202 && receipt.deletes == 333)
    #expect(receipt.conflicts == 4 && receipt.withheld == 5)
    let layers = receipt.layers.mapValues { [$0.adds, $0.updates, $0.deletes] }
    #expect(layers == [5: [101, 202, 303], 7: [10, 0, 30]])
  }
}
