import Foundation
import PortolanGeodatabase
import PortolanJobs
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanOffline

/// Which copies services are told of when a version of a map goes.
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

  @Test func `A copy is given up with the last version that has it, if Portolan has registered it`()
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
}
