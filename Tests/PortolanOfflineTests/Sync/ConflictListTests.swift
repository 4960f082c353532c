import DemoPortal
import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanJSON
import PortolanLibrary
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The conflicts of a map that people see, and the files that are examined for them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ConflictListTests {
  private static let table = "Lighthouses"

  private func layer(_ root: String) -> JSONValue {
    [
      "id": .string(root), "title": .string(root), "layerType": "ArcGISFeatureLayer",
      "url": .string("\(Self.url(root))/1"),
    ]
  }

  private static func url(_ root: String) -> String {
    "https://demo.test/\(root)/rest/services/ExploreMaine/FeatureServer"
  }

  private func service(_ root: String, _ bed: OfflineJobBed) throws -> FeatureService {
    FeatureService(url: try #require(URL(string: Self.url(root))), client: bed.bed.portal.client)
  }

  /// The object id of a feature at its service.
  private func place(_ feature: Feature, _ service: FeatureService) async throws -> Int64 {
    let id = try #require(SyncCopy.text("GlobalID", feature))
    return try #require(try await service.table(1).objectIDs(ofGlobalIDs: [id]).values.first)
  }

  /// Others edit features at their service.
  private func edit(
    _ parameters: RESTParameters, _ service: FeatureService, _ bed: OfflineJobBed
  ) async throws {
    _ = try await bed.bed.portal.client.json(
      service.url.appending(path: "1/applyEdits"), parameters, method: .post)
  }

  private func rename(
    _ feature: Feature, to name: String, _ service: FeatureService, _ bed: OfflineJobBed
  ) async throws {
    let there = try await place(feature, service)
    let update = #"[{"attributes": {"OBJECTID": \#(there), "NAME": "\#(name)"}}]"#
    try await edit(["updates": update], service, bed)
  }

  private func renaming(_ feature: Feature) -> FeatureEdit {
    .update(
      .objectID(feature.objectID), table: Self.table, attributes: ["NAME": .text("Mine")],
      geometry: .keep)
  }

  private func features(_ file: URL) async throws -> [Feature] {
    try await Geodatabase.open(at: file)
      .features(in: Self.table, matching: QueryParameters()).collect()
  }

  private func apply(_ edits: [FeatureEdit], to file: URL, _ bed: OfflineJobBed) async throws {
    try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) { store in
      _ = try await store.apply(edits)
    }
  }

  private func synchronize(_ map: MapID, _ bed: OfflineJobBed) async throws {
    let parts = try await OfflineMapSyncTask(bed.bed.environment).synchronize(
      map, .bidirectional, portal: bed.bed.portal, folder: temporaryDirectory)
    for part in parts { _ = try part.result.get() }
  }

  @Test func `No two conflicts of a map have the same number, however many a file has had`() {
    let issues: [Int64] = [1, 2, 99_999, 100_000, 100_001, 200_001, 300_001]
    let numbers = (0..<3).flatMap { file in
      issues.map { OfflineMapSyncTask.number(of: $0, inFile: file, of: 3) }
    }
    #expect(Set(numbers).count == numbers.count)
    // The first of each file, then the second of each.
    let first = (1...2).flatMap { issue in
      (0..<3).map { OfflineMapSyncTask.number(of: issue, inFile: $0, of: 3) }
    }
    #expect(first == [1, 2, 3, 4, 5, 6])
    // A file that says anything has numbers that differ all the same.
    let greatest = [Int64.max, .max - 1].map { OfflineMapSyncTask.number(of: $0, inFile: 1, of: 3) }
    #expect(greatest[0] != greatest[1])
  }

  @Test func `A conflict shows what both sides have, be it nothing`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.parameters(operational: [layer("arcgis")]))
    let (map, service) = (made.lease.map.id, try service("arcgis", bed))
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let file = made.url.appending(path: path)
    let features = try await features(file)
    try await apply(
      [
        renaming(features[0]), .delete(.objectID(features[1].objectID), table: Self.table),
        renaming(features[2]),
      ], to: file, bed)
    for feature in features[0...1] { try await rename(feature, to: "Theirs", service, bed) }
    let last = try await place(features[2], service)
    try await edit(["deletes": "\(last)"], service, bed)
    try await synchronize(map, bed)
    let found = try await OfflineMapSyncTask(bed.bed.environment).conflicts(of: map)
    let conflicts = features[0...2].map { feature in
      found.first { $0.issue.objectID == feature.objectID }
    }
    try #require(found.count == 3 && conflicts.allSatisfy { $0 != nil })
    let (changed, removed, gone) = (conflicts[0], conflicts[1], conflicts[2])
    #expect(found.allSatisfy { $0.path == path && $0.isSent && $0.id == Int($0.issue.id) })
    #expect(changed?.mine?.attributes["NAME"] == .text("Mine"))
    #expect(changed?.theirs?.attributes["NAME"] == .text("Theirs"))
    #expect(changed?.theirs?.geometry != nil)
    #expect(changed?.theirs?.objectID == features[0].objectID)
    #expect(changed?.fieldsChangedHere?.contains("NAME") == true)
    #expect(changed?.fieldsChangedHere?.contains("HEIGHT_FT") == false)
    #expect(changed?.fields.contains { $0.name == "NAME" } == true)
    #expect(changed?.isShapeChangedHere == false)
    #expect(removed?.mine == nil && removed?.fieldsChangedHere == nil)
    #expect(removed?.isShapeChangedHere == nil)
    #expect(removed?.theirs?.attributes["NAME"] == .text("Theirs"))
    #expect(gone?.mine?.attributes["NAME"] == .text("Mine") && gone?.theirs == nil)
    #expect(gone?.issue.isGoneThere == true && changed?.issue.isGoneThere == false)
    #expect(found.allSatisfy { $0.layerTitle == "arcgis" && $0.issue.table == Self.table })
  }

  @Test func `Conflicts of several files have numbers of their own, and each stays in its file`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let layers = ["server102", "arcgis"].map(layer)
    let made = try await bed.make(try await bed.parameters(operational: layers))
    let map = made.lease.map.id
    let paths = try OfflineMapSyncTask.geodatabases(in: made.url)
    try #require(paths.count == 2)
    for path in paths {
      let file = made.url.appending(path: path)
      let feature = try await features(file)[0]
      try await apply([renaming(feature)], to: file, bed)
      let state = try await OfflineMapSyncTask.using(file, bed.bed.environment.surroundings) {
        try await $0.syncState()
      }
      let address = try #require(state).serviceURL
      let url = try #require(URL(string: address))
      let service = FeatureService(url: url, client: bed.bed.portal.client)
      try await rename(feature, to: "Theirs of \(path)", service, bed)
    }
    try await synchronize(map, bed)
    let task = OfflineMapSyncTask(bed.bed.environment)
    let conflicts = try await task.conflicts(of: map)
    #expect(conflicts.map(\.path) == paths)
    #expect(Set(conflicts.map(\.layerTitle)) == ["server102", "arcgis"])
    #expect(conflicts.map(\.id) == [1, 2] && conflicts.allSatisfy { $0.issue.id == 1 })
    let last = try #require(conflicts.last)
    try await task.resolve(last, of: map, as: .theirs)
    let left = try await task.conflicts(of: map)
    #expect(left.map(\.id) == conflicts.dropLast().map(\.id))
    #expect(left.map(\.path) == [paths[0]])
  }

  @Test func `A geodatabase that comes from no service takes no numbers from the others`()
    async throws
  {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.parameters(operational: [layer("arcgis")]))
    let (map, service) = (made.lease.map.id, try service("arcgis", bed))
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let file = made.url.appending(path: path)
    let definition = GeodatabaseDefinition(name: "Own", capabilities: "Query", tables: [])
    try GeodatabaseWriter(
      at: made.url.appending(path: "p13/a.geodatabase"), definition, now: DemoBed.day
    ) { UUID() }.finish()
    for feature in try await features(file)[0...1] {
      try await apply([renaming(feature)], to: file, bed)
      try await rename(feature, to: "Theirs", service, bed)
    }
    try await synchronize(map, bed)
    let found = try await OfflineMapSyncTask(bed.bed.environment).conflicts(of: map)
    #expect(found.map(\.id) == [1, 2] && found.allSatisfy { $0.path == path })
  }

  @Test func `Conflicts of a map that can only be read are listed as well`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    let made = try await bed.make(try await bed.parameters(operational: [layer("arcgis")]))
    let (map, service) = (made.lease.map.id, try service("arcgis", bed))
    let path = try #require(try OfflineMapSyncTask.geodatabases(in: made.url).first)
    let file = made.url.appending(path: path)
    let feature = try await features(file)[0]
    try await apply([renaming(feature)], to: file, bed)
    try await rename(feature, to: "Theirs", service, bed)
    try await synchronize(map, bed)
    let task = OfflineMapSyncTask(bed.bed.environment)
    let conflicts = try await task.conflicts(of: map)
    #expect(conflicts.count == 1)
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
    #expect(try await task.conflicts(of: map) == conflicts)
    await #expect(throws: FeatureEditError.self) {
      try await task.resolve(#require(conflicts.first), of: map, as: .theirs)
    }
  }

  @Test func `The geodatabases of a map are all files of that kind in it, by their paths`() throws {
    for path in ["p13/b.geodatabase", "p13/A.GEODATABASE", "a/c.geodatabase", "p13/b.gpkg"] {
      let file = temporaryDirectory.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    #expect(
      try OfflineMapSyncTask.geodatabases(in: temporaryDirectory)
        == ["a/c.geodatabase", "p13/A.GEODATABASE", "p13/b.geodatabase"])
    let missing = temporaryDirectory.appending(path: "missing")
    #expect(throws: (any Error).self) { try OfflineMapSyncTask.geodatabases(in: missing) }
  }

  @Test func `A map is synchronized if a file of it is, or cannot be looked at`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var parameters = try await bed.parameters(operational: [layer("arcgis")])
    let task = OfflineMapSyncTask(bed.bed.environment)
    let synced = try await bed.make(parameters)
    #expect(try await task.isSynchronized(synced.lease.map.id))
    parameters.mapID = UUID().uuidString.lowercased()
    parameters.updateMode = .noUpdates
    let made = try await bed.make(parameters)
    #expect(try await !task.isSynchronized(made.lease.map.id))
    try Data("no database".utf8).write(to: made.url.appending(path: "p13/z.geodatabase"))
    #expect(try await task.isSynchronized(made.lease.map.id))
  }
}
