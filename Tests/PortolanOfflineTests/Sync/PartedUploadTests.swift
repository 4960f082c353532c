import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Edits that are written into requests, since the service has no place for files or knows no geodatabases:
/// a few at a time, each of which may break off.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct PartedUploadTests {
  private static let roots = ["enterprise", "server102"]

  private static let surroundings = OfflineSurroundings(
    freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
    makeID: { UUID() })

  /// Sends the edits of a copy.
  private func upload(
    _ copy: SyncCopy, _ limit: SyncUpload.Limit, through transport: (any HTTPTransport)? = nil
  ) async throws -> SentEdits {
    let client = RESTClient(
      transport: transport ?? copy.bed.transport, authenticator: AnonymousAuthenticator())
    let service = FeatureService(url: copy.bed.service.url, client: client)
    let folder = copy.bed.folder
    return try await OfflineMapSyncTask.using(copy.file, Self.surroundings) { store in
      let exchange = ReplicaExchange(
        task: ReplicaTask(service: service),
        replicaID: try #require(try await store.syncState()).replicaID, folder: folder,
        surroundings: Self.surroundings, limit: limit)
      var receipt = SyncReceipt()
      var sent = try await exchange.settlePending(store)
      try await exchange.uploadEdits(of: store, after: &receipt, counting: &sent)
      return sent
    }
  }

  /// The edits in each request, as the service was sent them.
  private func parts(_ listening: ListeningTransport) throws -> [JSONValue] {
    try listening.requests.filter { $0.url.lastPathComponent == "synchronizeReplica" }
      .map(\.parameters).filter { $0["syncDirection"] == "upload" }
      .compactMap { $0["edits"] }.map { try JSONValue(parsing: Data($0.utf8)) }
  }

  private func count(_ part: JSONValue, _ list: String, _ names: [String]) -> Int {
    (part.array ?? []).reduce(0) { sum, layer in
      sum + names.reduce(0) { $0 + (layer[list]?[$1]?.array?.count ?? 0) }
    }
  }

  /// Makes five edits of features: two are new, two are renamed, one is deleted.
  private func edit(_ copy: SyncCopy) async throws {
    let features = try await copy.features()
    for name in ["New 1", "New 2"] { try await copy.add(name) }
    for index in 0...1 { try await copy.rename(features[index].objectID, "Changed \(index)") }
    try await copy.delete(features[2].objectID)
  }

  private func check(_ copy: SyncCopy, before: Int) async throws {
    #expect(try await copy.edits() == 0)
    #expect(try await copy.using { try await $0.pendingUpload() } == nil)
    let values = try await copy.bed.values()
    #expect(values.count == before + 1)
    for name in ["New 1", "New 2", "Changed 0", "Changed 1"] {
      #expect(values.values.count { $0 == name } == 1, "\(name)")
    }
    let there = Dictionary(
      uniqueKeysWithValues: values.map { (SyncCopy.plain($0.key), $0.value) })
    let here = Dictionary(
      uniqueKeysWithValues: try await copy.values().map { (SyncCopy.plain($0.key), $0.value) })
    #expect(here == there)
  }

  @Test(arguments: roots) func `They go a few at a time`(_ root: String) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let copy = try await bed.copy("first")
    let before = try await bed.values().count
    try await edit(copy)
    let listening = ListeningTransport(bed.transport)
    let limit = SyncUpload.Limit(features: 2, bytes: 1 << 20)
    #expect(try await upload(copy, limit, through: listening).total == 5)
    let counts = try parts(listening).map { count($0, "features", ["adds", "updates", "deletes"]) }
    // That the service knows no geodatabases is found out with the first request.
    #expect(counts == (root == "server102" ? [2, 2, 2, 1] : [2, 2, 1]))
    #expect(listening.requests.allSatisfy { $0.url.lastPathComponent != "upload" })
    try await check(copy, before: before)
  }

  @Test(arguments: roots, [0, 1, 2])
  func `What breaks off between them is neither lost nor doubled`(
    _ root: String, _ skip: Int
  ) async throws {
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let copy = try await bed.copy("first")
    let before = try await bed.values().count
    try await edit(copy)
    let limit = SyncUpload.Limit(features: 2, bytes: 1 << 20)
    for kind in [DemoFault.Kind.cut(after: 1), .drop, .status(502, retryAfter: nil)] {
      let fault = await bed.state.add(
        DemoFault(kind, path: "*/synchronizeReplica", skip: skip))
      // Some of them have arrived by then, and the last time all of them.
      _ = try? await upload(copy, limit)
      await bed.state.removeFaults(fault)
    }
    _ = try await upload(copy, limit)
    try await check(copy, before: before)
  }

  @Test(arguments: roots)
  func `A process that ends between them leaves the others as edits`(_ root: String) async throws {
    for count in stride(from: 0, to: 16, by: 3) {
      let bed = try await SyncBed(
        in: temporaryDirectory.appending(path: "\(count)"), root: root)
      try FileManager.default.createDirectory(at: bed.folder, withIntermediateDirectories: true)
      let copy = try await bed.copy("first")
      let before = try await bed.values().count
      try await edit(copy)
      let limit = SyncUpload.Limit(features: 1, bytes: 1 << 20)
      let kill = KillingTransport(
        bed.transport, file: copy.file, after: count, isHeard: count % 2 == 0)
      // It fails, unless it is over before that request.
      _ = try? await upload(copy, limit, through: kill)
      try kill.restore()
      _ = try await upload(copy, limit)
      try await check(copy, before: before)
    }
  }

  @Test(arguments: roots, [1, 50_000, 1 << 20])
  func `Attachments have the room that features leave, and each goes once`(
    _ root: String, _ bytes: Int
  ) async throws {
    let expected = try #require([1: 3, 50_000: 2, 1 << 20: 1][bytes])
    let bed = try await SyncBed(in: temporaryDirectory, root: root)
    let copy = try await bed.copy("first")
    let feature = try await copy.features()[0]
    let id = try #require(SyncCopy.text("GlobalID", feature))
    let before = try await bed.attachments(of: id).count
    for name in ["a.txt", "b.txt", "c.txt"] {
      let file = NewAttachment(
        name: name, contentType: "text/plain", data: Data(repeating: 65, count: 15_000))
      try await copy.edit(
        .addAttachment(file, to: .objectID(feature.objectID), table: SyncBed.table))
    }
    let listening = ListeningTransport(bed.transport)
    let limit = SyncUpload.Limit(features: 100, bytes: bytes)
    let sent = try await upload(copy, limit, through: listening)
    #expect(sent.total == 3 && sent.attachments == 3)
    let counts = try parts(listening).map { count($0, "attachments", ["adds"]) }
    #expect(counts.suffix(expected).reduce(0, +) == 3)
    #expect(counts.count == expected + (root == "server102" ? 1 : 0))
    #expect(try await copy.edits() == 0)
    let names = try await bed.attachments(of: id)
    #expect(names.count == before + 3 && Set(names).isSuperset(of: ["a.txt", "b.txt", "c.txt"]))
  }

  @Test func `A file takes all of them at once`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let copy = try await bed.copy("first")
    let before = try await bed.values().count
    try await edit(copy)
    let listening = ListeningTransport(bed.transport)
    let limit = SyncUpload.Limit(features: 1, bytes: 1)
    #expect(try await upload(copy, limit, through: listening).total == 5)
    #expect(listening.requests.count { $0.url.lastPathComponent == "synchronizeReplica" } == 1)
    try await check(copy, before: before)
  }

  @Test func `What the service says nothing of keeps nothing else, and is sent once`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory, root: "enterprise")
    let copy = try await bed.copy("first")
    try await edit(copy)
    let silent = DamagingTransport(
      bed.transport, folder: temporaryDirectory, table: "GDB_DataChangesEditResults",
      statement: "UPDATE GDB_DataChangesEditResults SET Success = NULL")
    let listening = ListeningTransport(silent)
    let limit = SyncUpload.Limit(features: 2, bytes: 1 << 20)
    #expect(try await upload(copy, limit, through: listening).total == 0)
    #expect(try parts(listening).count == 3)
    #expect(try await copy.edits() == 5)
    #expect(try await upload(copy, limit).total == 5)
    #expect(try await copy.edits() == 0)
  }
}
