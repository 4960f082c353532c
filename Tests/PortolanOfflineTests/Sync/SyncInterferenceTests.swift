import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanPortal
import PortolanSQLite
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// The interference of others with a file while it is synchronized, or while somebody decides on
/// conflicts.
@Suite(.temporaryDirectory) struct SyncInterferenceTests {
  @Test func `A walk that begins during a synchronization keeps nothing from being written`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try await copy.add("Here")
    try await copy.using { store in
      let upload = try await store.makeUpload()
      let pending = PendingUpload(edits: upload.edits, moment: upload.moment)
      try await store.setPendingUpload(pending)
      let reader = try Connection(at: copy.file, access: .readOnly)
      let walk = try reader.query("SELECT * FROM \(SyncBed.table)")
      #expect(try walk.step())
      try await store.setPendingUpload(nil)
      #expect(try walk.step())
    }
  }

  @Test func `A map that is being edited is not synchronized`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(
      try await bed.parameters(operational: [
        [
          "id": "a", "title": "a", "layerType": "ArcGISFeatureLayer",
          "url": "https://demo.test/arcgis/rest/services/ExploreMaine/FeatureServer/1",
        ]
      ]))
    let environment = bed.bed.environment
    func synchronize() async throws -> Int {
      try await OfflineMapSyncTask(environment).synchronize(
        made.lease.map.id, .bidirectional, portal: bed.bed.portal, folder: temporaryDirectory
      ).count
    }
    try await environment.library.beginEditing(made.lease)
    let refusal = LibraryError.beingEdited(map: made.lease.map.title, by: "this program")
    await #expect(throws: refusal) { try await synchronize() }
    made.lease.endEditing()
    #expect(try await synchronize() == 1)
  }

  @Test func `A table of others without row numbers keeps nothing from being sent`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    try Connection(at: copy.file, access: .edit).execute(
      """
      CREATE TABLE Codes (gdb_archive_oid INTEGER NOT NULL, code TEXT, gdb_from_date REAL,
        gdb_to_date REAL, PRIMARY KEY (gdb_archive_oid)) WITHOUT ROWID
      """)
    try await copy.add("Mine")
    #expect(try await copy.sync().sent == 1)
    #expect(try await bed.values().values.contains("Mine"))
    #expect(try await copy.edits() == 0)
  }

  @Test func `Conflicts that cannot be read keep all edits from being sent`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let feature = try await first.features()[0]
    try await first.rename(feature.objectID, "Theirs")
    _ = try await first.sync()
    try await second.rename(feature.objectID, "Mine")
    #expect(try await second.sync().issues.count == 1)
    // As a version writes them that is not made yet.
    try Connection(at: second.file, access: .edit)
      .execute("UPDATE portolan_sync_issues SET record = '{\"kind\": \"merged\"}'")
    await #expect(throws: FeatureEditError.self) { try await second.sync() }
    #expect(try await second.edits() == 1)
    #expect(try await bed.values().values.contains("Theirs"))
  }

  @Test func `A feature that the copy cannot hold keeps nothing else from being exchanged`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let before = try await first.features()
    let id = try #require(SyncCopy.text("GlobalID", before[0])).uppercased()
    // No other program asks whether that suits the service.
    try Connection(at: second.file, access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON \(SyncBed.table) (NAME, gdb_to_date)")
    try await first.rename(before[0].objectID, try #require(SyncCopy.text("NAME", before[1])))
    try await first.rename(before[2].objectID, "Third")
    _ = try await first.sync()
    let added = try await second.add("Added")
    let result = try await second.sync()
    #expect(result.withheld == 1 && result.waiting == 0)
    #expect(result.sent == 1 && result.received.updates == 1)
    #expect(result.issues.map { SyncCopy.plain($0.globalID) } == [SyncCopy.plain(id)])
    #expect(try await bed.values()[added.uppercased()] == "Added")
    #expect(try await second.edits() == 0)
    // Also if the copy is made anew.
    try await bed.forgetReplicas()
    let again = try await second.sync()
    #expect(again.isRegisteredAgain && again.withheld == 1)
    #expect(try await second.values()[id] == SyncCopy.text("NAME", before[0]))
    try Connection(at: second.file, access: .edit).execute("DROP INDEX one_name")
    #expect(try await second.sync().issues.isEmpty)
    #expect(try await second.values() == bed.values())
    #expect(try await second.edits() == 0)
  }

  @Test(arguments: [true, false])
  func `A feature that comes damaged is asked for by itself`(_ isAnswered: Bool) async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let features = try await first.features()
    for (feature, name) in zip(features, ["One", "Two"]) {
      try await first.rename(feature.objectID, name)
    }
    _ = try await first.sync()
    let added = try await second.add("Added")
    let damaging = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "T_1_updates",
      statement: "UPDATE T_1_updates SET SHAPE = substr(SHAPE, 1, 10) WHERE NAME = 'One'",
      refusesQueries: !isAnswered)
    let client = RESTClient(transport: damaging, authenticator: AnonymousAuthenticator())
    let result = try await second.sync(through: client)
    #expect(result.sent == 1)
    #expect(try await bed.values()[added.uppercased()] == "Added")
    #expect(result.withheld == (isAnswered ? 0 : 1))
    #expect(try await second.values().values.contains("Two"))
    if !isAnswered {
      let issue = try #require(result.issues.first)
      #expect(issue.isIncomplete == true && issue.reason?.isEmpty == false)
      #expect(try await second.values().values.contains("One") == false)
      for way in SyncIssue.Resolution.allCases {
        await #expect(throws: FeatureEditError.self) { try await second.resolve(issue, way) }
      }
      #expect(try await second.sync().issues.isEmpty)
    }
    #expect(try await second.values() == bed.values())
    #expect(try await second.edits() == 0)
  }

  @Test func `A feature that comes damaged is asked for in the coordinates of the copy`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    try await first.rename(try await first.features()[0].objectID, "One")
    _ = try await first.sync()
    let damaging = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "T_1_updates",
      statement: "UPDATE T_1_updates SET SHAPE = substr(SHAPE, 1, 10)")
    let listening = ListeningTransport(damaging)
    let client = RESTClient(transport: listening, authenticator: AnonymousAuthenticator())
    #expect(try await second.sync(through: client).withheld == 0)
    let questions = listening.requests.filter { $0.url.path().hasSuffix("/query") }
    let texts = questions.map { question in
      let body = if case .bytes(let data)? = question.body { data } else { Data() }
      return (question.url.query() ?? "") + String(decoding: body, as: UTF8.self)
    }
    #expect(texts.contains { $0.contains("where=") && $0.contains("outSR=") }, "\(texts)")
  }

  @Test func `Resolving a conflict resolves no other that arrived later`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (first, second) = (try await bed.copy("first"), try await bed.copy("second"))
    let features = try await first.features()
    try await first.rename(features[0].objectID, "Theirs")
    _ = try await first.sync()
    try await second.rename(features[0].objectID, "Mine")
    let listed = try #require(try await second.sync().issues.first)
    // As another process does, while somebody looks at the list.
    try await second.resolve(listed, .mine)
    _ = try await second.sync()
    try await first.rename(features[1].objectID, "Theirs too")
    _ = try await first.sync()
    try await second.rename(features[1].objectID, "Mine too")
    #expect(try await second.sync().issues.count == 1)
    await #expect(throws: FeatureEditError.self) { try await second.resolve(listed, .theirs) }
    #expect(try await second.values().values.contains("Mine too"))
  }
}
