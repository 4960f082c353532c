import Foundation
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// The replicas that services are told of when a version of a map goes.
@Suite(.temporaryDirectory) struct CopyReleaseTests {
  private let surroundings = OfflineSurroundings(
    freeSpace: { _ in nil }, clock: ImmediateClock(), now: { DemoBed.day }, chance: { 0 },
    makeID: { UUID() })

  private func place(_ name: String, of files: [URL]) throws -> URL {
    let folder = temporaryDirectory.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in files {
      try FileManager.default.copyItem(
        at: file, to: folder.appending(path: file.lastPathComponent))
    }
    return folder
  }

  private func map() throws -> StoredMap {
    StoredMap(
      id: try #require(MapID("a")), origin: .onDemandArea(webMap: "w"), form: .folder,
      title: "Casco", portal: URL(filePath: "/portal"),
      installed: DemoBed.day, byteCount: 1)
  }

  @Test
  func `A copy that Portolan registered is unregistered with the last version that contains it`()
    async throws
  {
    let bed = try await SyncBed(in: temporaryDirectory)
    let (mine, other) = (try await bed.copy("portolan_a"), try await bed.copy("other"))
    let first = try place("1", of: [mine.file, other.file])
    let same = try place("2", of: [mine.file])
    let empty = try place("3", of: [])
    let releases = CopyReleases(surroundings, home: nil)
    let messages = try await releases.messages(of: map(), at: first, sparing: [empty])
    #expect(messages.count == 1)
    let state = try await mine.using { try await $0.syncState() }
    #expect(messages.first?.fields["replicaID"] == state?.replicaID.uuidString.lowercased())
    #expect(try await releases.messages(of: map(), at: first, sparing: [empty, same]).isEmpty)
    let unreadable = try place("4", of: [])
    try Data("no".utf8).write(to: unreadable.appending(path: "a.geodatabase"))
    await #expect(throws: (any Error).self) {
      try await releases.messages(of: map(), at: first, sparing: [unreadable])
    }
  }

  @Test func `Unregistering a copy names the copy, its service and its map`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let mine = try await bed.copy("portolan_a")
    let folder = try place("1", of: [mine.file])
    let state = try #require(try await mine.using { try await $0.syncState() })
    let id = state.replicaID.uuidString.lowercased()
    let service = try #require(URL(string: state.serviceURL))
    let expected = OutboxMessage(
      id: try #require(OutboxMessage.ID("unregister-copy-\(id)")),
      purpose: "Unregister a replica of \"Casco\" that is not needed any more.",
      portal: URL(filePath: "/portal"),
      address: service.appending(path: "unRegisterReplica"), fields: ["replicaID": id],
      created: DemoBed.day)
    let releases = CopyReleases(surroundings, home: "one")
    #expect(try await releases.messages(of: map(), at: folder) == [expected])
    // A file of its own, or one that came from nowhere, has no copies.
    var other = try map()
    other.portal = nil
    #expect(try await releases.messages(of: other, at: folder).isEmpty)
    other = try map()
    other.form = .file
    #expect(try await releases.messages(of: other, at: folder).isEmpty)
  }

  @Test func `A folder that is named like a geodatabase is none, and keeps no copy`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let mine = try await bed.copy("portolan_a")
    let folder = try place("1", of: [mine.file])
    try FileManager.default.createDirectory(
      at: folder.appending(path: "p13/old.geodatabase"), withIntermediateDirectories: true)
    #expect(try OfflineMapSyncTask.geodatabases(in: folder) == ["portolan_a.geodatabase"])
    let releases = CopyReleases(surroundings, home: nil)
    #expect(try await releases.messages(of: map(), at: folder).count == 1)
  }

  @Test func `A copy requested in place of another is unregistered by its name`() async throws {
    let bed = try await SyncBed(in: temporaryDirectory)
    let mine = try await bed.copy("other")
    try await mine.using { store in
      try await store.setRequestedCopy(RequestedCopy(name: "portolan_job_1", home: "one"))
    }
    let folder = try place("1", of: [mine.file])
    let state = try #require(try await mine.using { try await $0.syncState() })
    let service = try #require(URL(string: state.serviceURL))
    let expected = OutboxMessage(
      id: try #require(OutboxMessage.ID("copy-job-1")),
      purpose: "Unregister a replica that is not needed any more.",
      portal: URL(filePath: "/portal"),
      address: service.appending(path: "unRegisterReplica"),
      fields: [ReplicaRelease.nameField: "portolan_job_1"], created: DemoBed.day)
    let messages = try await CopyReleases(surroundings, home: "one").messages(of: map(), at: folder)
    #expect(messages == [expected])
  }
}
