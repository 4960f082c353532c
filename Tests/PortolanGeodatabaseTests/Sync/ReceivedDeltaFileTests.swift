import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Changes of others that are read row by row from a geodatabase, while they are written.
@Suite(.temporaryDirectory) struct ReceivedDeltaFileTests {
  private static let generations = Dictionary(
    uniqueKeysWithValues: SyncedSites.Table.allCases.map { ($0.rawValue, Int64(2)) })

  /// Rows of all kinds; one was deleted and added again.
  private static var layers: [GeodatabaseDelta.Layer] {
    let sites = SyncedSites.Table.sites
    return [
      GeodatabaseDelta.Layer(
        layerID: sites.rawValue, schema: SyncedSites.schema(sites), serverGeneration: 2,
        adds: [
          SyncedSites.feature(sites, SyncedSites.id(7), "Gamma"),
          SyncedSites.feature(sites, SyncedSites.id(2), "Back"),
        ], updates: [SyncedSites.feature(sites, SyncedSites.alpha, "Theirs")],
        deletes: [SyncedSites.id(2)],
        updatedFiles: [.init(SyncedSites.photo("theirs"), parentGlobalID: SyncedSites.alpha)]),
      GeodatabaseDelta.Layer(
        layerID: SyncedSites.Table.surveys.rawValue, schema: SyncedSites.schema(.surveys),
        serverGeneration: 2,
        adds: [
          SyncedSites.feature(.surveys, SyncedSites.id(8), "Winter", of: SyncedSites.alpha),
          SyncedSites.feature(.surveys, SyncedSites.id(9), "Summer", of: SyncedSites.id(7)),
        ]),
      GeodatabaseDelta.Layer(
        layerID: SyncedSites.Table.notes.rawValue, schema: SyncedSites.schema(.notes),
        serverGeneration: 2, deletes: [SyncedSites.note]),
    ]
  }

  private func copy(_ name: String) throws -> SyncedSites {
    let folder = temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try SyncedSites(in: folder)
  }

  private func written() throws -> URL {
    let url = temporaryDirectory.appending(path: "delta.geodatabase")
    try GeodatabaseDelta(replicaID: UUID(), layers: Self.layers)
      .write(to: url, now: SyncedSites.moment, makeID: { UUID() })
    return url
  }

  @Test(arguments: [nil, "Mine", ""])
  func `Changes come in from a file as they do from memory, beside edits and deletions here`(
    _ edit: String?
  ) async throws {
    let (memory, file) = (try copy("memory"), try copy("file"))
    for copy in [memory, file] {
      guard let edit else { continue }
      if edit.isEmpty {
        try await copy.deleteAlpha()
      } else {
        try await copy.rename(1, in: .sites, edit)
      }
    }
    let expected = try await memory.receive(Self.layers)
    let delta = try GeodatabaseDeltaFile(at: try written())
    #expect(delta.layerGenerations == [0: 2, 1: 2, 3: 2])
    let receipt = try await file.store.receive(
      delta, layerGenerations: Self.generations, generation: nil)
    #expect(receipt == expected)
    #expect(try await file.names() == memory.names())
    let (issues, others) = (try await file.store.syncIssues(), try await memory.store.syncIssues())
    #expect(issues.map(\.globalID) == others.map(\.globalID))
    #expect(issues.isEmpty == (edit == nil))
    #expect(
      try await file.store.localChanges().changes.map(\.kind)
        == memory.store.localChanges().changes.map(\.kind))
  }

  @Test func `A file that proves damaged halfway is not imported at all`() async throws {
    let copy = try copy("copy")
    let url = try written()
    let connection = try Connection(at: url, access: .edit)
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute(
      "UPDATE T_3_inserts SET GlobalID = x'00' WHERE rowid = (SELECT max(rowid) FROM T_3_inserts)")
    let delta = try GeodatabaseDeltaFile(at: url)
    await #expect(throws: FeatureEditError.self) {
      try await copy.store.receive(delta, layerGenerations: Self.generations, generation: nil)
    }
    #expect(try await copy.names() == SyncedSites.before)
    #expect(try await copy.store.syncState()?.layers.map(\.serverGeneration) == [1, 1, 1, 1])
  }
}
