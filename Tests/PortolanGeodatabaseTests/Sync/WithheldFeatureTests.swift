import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// The outcome of features of others that a replica cannot hold.
@Suite(.temporaryDirectory) struct WithheldFeatureTests {
  private static let long = String(repeating: "x", count: 41)

  private func file(_ text: String, of parent: String) -> GeodatabaseDelta.File {
    let file = NewAttachment(
      name: "seven.txt", contentType: "text/plain", data: Data(text.utf8),
      globalID: "{33333333-0000-4000-8000-000000000007}")
    return GeodatabaseDelta.File(file, parentGlobalID: parent)
  }

  /// Others have done something to the sites.
  private func receive(
    _ copy: SyncedSites, adds: [Feature] = [], updates: [Feature] = [], deletes: [String] = [],
    files: [GeodatabaseDelta.File] = []
  ) async throws -> SyncReceipt {
    try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2, adds: adds,
        updates: updates, deletes: deletes, addedFiles: files)
    ])
  }

  /// A copy in which no two sites may have the same name, which the service does not know.
  private func copyWithUniqueNames() throws -> SyncedSites {
    let copy = try SyncedSites(in: temporaryDirectory)
    try Connection(at: copy.url, access: .edit)
      .execute("CREATE UNIQUE INDEX one_name ON Sites (NAME, gdb_to_date)")
    return copy
  }

  /// Not even the version before may stand beside a new one, as a program wants that does not know of the
  /// history.
  private func refuseVersions(_ copy: SyncedSites) throws {
    let connection = try Connection(at: copy.url, access: .edit)
    try connection.execute(
      "UPDATE Sites SET gdb_from_date = gdb_from_date - 1 WHERE NAME IN ('Alpha', 'Beta')")
    try connection.execute("CREATE UNIQUE INDEX one_name ON Sites (NAME)")
  }

  private func withheldFiles(_ copy: SyncedSites) throws -> Int64 {
    let connection = try Connection(at: copy.url, access: .readOnly)
    let query = try connection.query("SELECT count(*) FROM portolan_sync_files")
    return try query.step() ? query.integer(at: 0) : -1
  }

  @Test(arguments: ["abort", "fail", "ignore", "rollback"])
  func `A feature that violates a rule of the file is listed, and others are received`(
    _ rule: String
  ) async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    await copy.store.close()
    try Connection(at: copy.url, access: .readWrite).withSchemaEditing { connection in
      try connection.execute(
        """
        UPDATE sqlite_schema SET sql = replace(sql, 'check(', 'not null on conflict \(rule) check(')
        WHERE name = 'Sites'
        """)
    }
    let store = try EditableGeodatabase.open(
      at: copy.url, now: { SyncedSites.moment.addingTimeInterval(60) }, makeID: { UUID() })
    var nameless = SyncedSites.feature(.sites, SyncedSites.id(7), "Gamma", of: SyncedSites.alpha)
    nameless.attributes["NAME"] = .null
    let delta = GeodatabaseDelta(
      replicaID: UUID(),
      layers: [
        GeodatabaseDelta.Layer(
          layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2,
          adds: [
            nameless,
            SyncedSites.feature(.sites, SyncedSites.id(8), "Delta", of: SyncedSites.alpha),
          ])
      ])
    let receipt = try await store.receive(delta, layerGenerations: [0: 2], generation: nil)
    #expect(receipt.withheld == 1 && receipt.adds == 1)
    #expect(try await store.syncIssues().map(\.globalID) == [SyncedSites.id(7)])
    #expect(try await store.count(in: "Sites", matching: QueryParameters()) == 3)
    #expect(try await store.syncState()?.layers.map(\.serverGeneration) == [2, 1, 1, 1])
    await store.close()
  }

  @Test func `They are listed by name, and everything else comes in`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(2, in: .sites, "Mine")
    let receipt = try await receive(
      copy,
      adds: [
        SyncedSites.feature(.sites, SyncedSites.id(7), Self.long),
        SyncedSites.feature(.sites, SyncedSites.id(8), "Gamma"),
      ], updates: [SyncedSites.feature(.sites, SyncedSites.alpha, Self.long)],
      files: [file("of seven", of: SyncedSites.id(7))])
    #expect(receipt.withheld == 2 && receipt.adds == 1 && receipt.updates == 0)
    #expect(try await copy.names()[0] == ["Alpha", "Gamma", "Mine"])
    #expect(try await copy.changes().count == 1)
    let state = try #require(try await copy.store.syncState())
    #expect(state.layers.map(\.serverGeneration) == [2, 2, 2, 2])
    let issues = try await copy.store.syncIssues()
    #expect(issues.map(\.kind) == [.unstorable, .unstorable])
    #expect(issues.map(\.globalID) == [SyncedSites.id(7), SyncedSites.alpha])
    #expect(issues.map(\.objectID) == [0, 1])
    #expect(issues[0].reason?.contains("41 characters") == true, "\(issues[0])")
    #expect(try withheldFiles(copy) == 1)
    // Tried again, it is the same again, under the same number.
    #expect(try await receive(copy).withheld == 2)
    #expect(try await copy.store.syncIssues() == issues)
    #expect(try await copy.upload().edits.map(\.globalID) == [SyncedSites.id(2)])
  }

  @Test func `The features behind one that is refused have ids that are noted as given out`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    let receipt = try await receive(
      copy,
      adds: [(7, Self.long), (8, "Gamma"), (9, "Delta")].map {
        SyncedSites.feature(.sites, SyncedSites.id($0), $1)
      })
    #expect(receipt.withheld == 1 && receipt.adds == 2)
    await copy.store.close()
    #expect(try GeodatabaseAudit.findings(in: copy.url).isEmpty)
  }

  @Test(arguments: [true, false])
  func `Once the copy can hold them they come in as they were, with their attachments`(
    _ isNew: Bool
  ) async throws {
    let copy = try copyWithUniqueNames()
    let id = isNew ? SyncedSites.id(7) : SyncedSites.alpha
    let theirs = SyncedSites.feature(.sites, id, "Beta")
    let first = try await receive(
      copy, adds: isNew ? [theirs] : [], updates: isNew ? [] : [theirs],
      files: isNew ? [file("of seven", of: id)] : [])
    #expect(first.withheld == 1)
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.changes().isEmpty)
    let second = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")])
    #expect(second.withheld == 0)
    #expect(try await copy.names()[0] == (isNew ? ["Alpha", "Beta", "Delta"] : ["Beta", "Delta"]))
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
    guard isNew else { return }
    #expect(try withheldFiles(copy) == 0)
    let site = try await copy.store.features(in: "Sites", matching: QueryParameters()).collect()
      .first { $0.attributes["NAME"] == .text("Beta") }
    let files = try await copy.store.attachments(of: try #require(site).objectID, in: "Sites")
    #expect(files.map(\.size) == [8])
  }

  @Test func `A feature stays as it was when the copy refuses another version of it`() async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try refuseVersions(copy)
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Gamma")
    #expect(try await receive(copy, updates: [theirs]).withheld == 1)
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `An edit stays one of a feature that was there before, whatever the copy refuses`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    try await copy.rename(1, in: .sites, "Mine")
    try refuseVersions(copy)
    let theirs = SyncedSites.feature(.sites, SyncedSites.alpha, "Theirs")
    #expect(try await receive(copy, updates: [theirs]).conflicts == 1)
    #expect(try await copy.changes().map(\.kind) == [.update])
    try await copy.store.resolve(
      try #require(try await copy.store.syncIssues().first).id, as: .mine)
    let upload = try await copy.store.makeUpload()
    #expect(upload.delta.layers.map(\.updates.count) == [1])
  }

  @Test func `They are tried again although their layer has not changed`() async throws {
    let copy = try copyWithUniqueNames()
    _ = try await receive(copy, adds: [SyncedSites.feature(.sites, SyncedSites.id(7), "Beta")])
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    #expect(try await copy.receive([]).adds == 1)
    #expect(try await copy.names()[0] == ["Alpha", "Beta", "Beta"])
    #expect(try await copy.store.syncIssues().isEmpty)
  }

  @Test func `Values that no number can represent are kept exactly as well`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    var theirs = SyncedSites.feature(.sites, SyncedSites.id(7), "")
    theirs.attributes["NAME"] = .double(.nan)
    theirs.geometry = .point(Point(x: .infinity, y: .nan))
    #expect(try await receive(copy, adds: [theirs]).withheld == 1)
    let kept = try #require(try await copy.store.syncIssues().first?.withheld)
    guard case .point(let point)? = kept.geometry,
      case .double(let number)? = kept.attributes["NAME"]
    else {
      Issue.record("\(kept)")
      return
    }
    #expect(point.x == .infinity && point.y.isNaN && number.isNaN)
  }

  @Test func `What is wrong with values or shapes is about a feature, and nothing else is`() {
    let place = EditPlace(table: "Sites")
    let aboutRows: [FeatureEditError] = [
      .outsideCoordinateRange(.x, value: 1e300, range: 0...1, place), .notFinite(.y, place),
      .nullNotAllowed(field: "NAME", place), .missingHeights(place), .ringsCross(place),
      .incompleteGeometry(reason: "", place), .geometryNotAllowed(place), .objectIDsUsedUp(place),
      .dataTooLong(field: "DATA", length: 2, limit: 1, place),
      .refused(file: "", reason: "", place),
    ]
    for error in aboutRows { #expect(error.isAboutRow, "\(error)") }
    let others: [FeatureEditError] = [
      .cancelled, .diskFull(file: ""), .locked(file: "", holder: nil),
      .damaged(file: "", place: "", reason: ""), .writeFailed(file: "", reason: ""),
      .noSuchTable(name: "", available: []), .fileReadOnly(file: ""),
    ]
    for error in others { #expect(!error.isAboutRow, "\(error)") }
  }

  @Test func `Other decisions leave them listed`() async throws {
    let copy = try copyWithUniqueNames()
    // A survey that was edited here, of a site that others have removed, is decided on with the site.
    try await copy.rename(1, in: .surveys, "Mine")
    _ = try await copy.receive([
      GeodatabaseDelta.Layer(
        layerID: 0, schema: SyncedSites.schema(.sites), serverGeneration: 2,
        updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Alpha")]),
      GeodatabaseDelta.Layer(
        layerID: 1, schema: SyncedSites.schema(.surveys), serverGeneration: 2,
        updates: [
          SyncedSites.feature(.surveys, SyncedSites.survey, "Theirs", of: SyncedSites.alpha)
        ]),
    ])
    let issues = try await copy.store.syncIssues()
    let conflict = try #require(issues.first { $0.kind == .conflict })
    try await copy.store.resolve(conflict.id, as: .theirs)
    #expect(try await copy.store.syncIssues().map(\.kind) == [.unstorable])
    #expect(try await copy.names()[1] == ["Autumn", "Theirs"])
  }

  @Test func `Their attachments come in once, as they were sent last`() async throws {
    let copy = try copyWithUniqueNames()
    let id = SyncedSites.id(7)
    _ = try await receive(
      copy, adds: [SyncedSites.feature(.sites, id, "Beta")], files: [file("first", of: id)])
    _ = try await receive(copy, files: [file("second", of: id)])
    #expect(try withheldFiles(copy) == 1)
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")])
    let site = try await copy.store.features(in: "Sites", matching: QueryParameters()).collect()
      .first { $0.attributes["NAME"] == .text("Beta") }
    let owner = try #require(site).objectID
    let files = try await copy.store.attachments(of: owner, in: "Sites")
    #expect(files.count == 1)
    let data = try await copy.store.data(of: try #require(files.first).id, in: "Sites")
    #expect(String(decoding: data, as: UTF8.self) == "second")
  }

  @Test func `Attachments that others have removed do not come with them`() async throws {
    let copy = try copyWithUniqueNames()
    let id = SyncedSites.id(7)
    let sent = file("of seven", of: id)
    _ = try await receive(
      copy, adds: [SyncedSites.feature(.sites, id, "Beta")], files: [sent])
    _ = try await copy.receive(
      .sites, updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")],
      deletedFiles: [try #require(sent.attachment.globalID)])
    #expect(try await copy.names()[0] == ["Alpha", "Beta", "Delta"])
    #expect(try withheldFiles(copy) == 0)
    for site in try await copy.store.features(in: "Sites", matching: QueryParameters()).collect()
    where site.attributes["NAME"] == .text("Beta") {
      #expect(try await copy.store.attachments(of: site.objectID, in: "Sites").isEmpty)
    }
  }

  @Test func `A new copy contains no attachments that were deleted at the service meanwhile`()
    async throws
  {
    let copy = try copyWithUniqueNames()
    let theirs = SyncedSites.feature(.sites, SyncedSites.id(7), "Beta")
    _ = try await receive(
      copy, adds: [theirs], files: [file("of seven", of: SyncedSites.id(7))])
    let folder = temporaryDirectory.appending(path: "anew")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let fresh = try SyncedSites(in: folder)
    _ = try await receive(fresh, adds: [theirs])
    await fresh.store.close()
    try await copy.store.renew(from: fresh.url) { _, _ in [:] }
    #expect(try await copy.store.syncIssues().map(\.globalID) == [SyncedSites.id(7)])
    #expect(try withheldFiles(copy) == 0)
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    #expect(try await copy.receive([]).adds == 1)
    #expect(try await copy.names()[0] == ["Alpha", "Beta", "Beta"])
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `They are removed when others delete them`() async throws {
    let copy = try SyncedSites(in: temporaryDirectory)
    let id = SyncedSites.id(7)
    _ = try await receive(
      copy, adds: [SyncedSites.feature(.sites, id, Self.long)], files: [file("of seven", of: id)])
    #expect(try await receive(copy, deletes: [id]).withheld == 0)
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try withheldFiles(copy) == 0)
    #expect(try await copy.names() == SyncedSites.before)
  }

  @Test func `An edit of a feature in conflict is not sent until the conflict is resolved`()
    async throws
  {
    let copy = try SyncedSites(in: temporaryDirectory)
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, Self.long)])
    try await copy.rename(1, in: .sites, "Mine")
    #expect(try await copy.store.makeUpload().isEmpty)
    #expect(try await receive(copy).conflicts == 1)
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .conflict)
    #expect(issue.theirs?.text.contains(Self.long) == true)
    // To give it up is not possible, and says why.
    await #expect(throws: FeatureEditError.self) {
      try await copy.store.resolve(issue.id, as: .theirs)
    }
    #expect(try await copy.names()[0] == ["Beta", "Mine"])
    #expect(try await copy.store.syncIssues() == [issue])
    try await copy.store.resolve(issue.id, as: .mine)
    #expect(try await copy.upload().edits.map(\.globalID) == [SyncedSites.alpha])
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `They stay listed until the copy can hold them, whatever is decided`() async throws {
    let copy = try copyWithUniqueNames()
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, "Beta")])
    let issue = try #require(try await copy.store.syncIssues().first)
    for resolution in SyncIssue.Resolution.allCases {
      await #expect(throws: FeatureEditError.self) {
        try await copy.store.resolve(issue.id, as: resolution)
      }
    }
    #expect(try await copy.store.syncIssues() == [issue])
    try Connection(at: copy.url, access: .edit).execute("DROP INDEX one_name")
    try await copy.store.resolve(issue.id, as: .theirs)
    #expect(try await copy.names()[0] == ["Beta", "Beta"])
    #expect(try await copy.store.syncIssues().isEmpty)
    #expect(try await copy.changes().isEmpty)
  }

  @Test func `Attachments that both have changed are still decided on once the feature fits`()
    async throws
  {
    let copy = try copyWithUniqueNames()
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.alpha, "Beta")])
    let photo = try #require(try await copy.store.attachments(of: 1, in: "Sites").first)
    _ = try await copy.store.apply([
      .updateAttachment(photo.id, SyncedSites.photo("mine"), table: "Sites")
    ])
    _ = try await copy.receive(.sites, updatedFiles: [SyncedSites.photo("theirs")])
    let issue = try #require(try await copy.store.syncIssues().first)
    #expect(issue.kind == .unstorable && issue.attachments?.count == 1)
    _ = try await receive(
      copy, updates: [SyncedSites.feature(.sites, SyncedSites.id(2), "Delta")])
    let rest = try #require(try await copy.store.syncIssues().first)
    #expect(rest.isAboutAttachmentsAlone)
    #expect(try await copy.names()[0] == ["Beta", "Delta"])
    try await copy.store.resolve(rest.id, as: .theirs)
    #expect(try await copy.photo() == "theirs")
    #expect(try await copy.changes().isEmpty)
  }
}
