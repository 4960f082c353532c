import DemoPortal
import Foundation
import PortolanApp
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import Testing

/// An area of the demo portal, taken offline by a job and opened without the portal.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct PreplannedAreaTests {
  private nonisolated static let day = Date(timeIntervalSince1970: 1_795_000_000)

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory.appending(path: "home")) }

  private func open(_ url: URL) async throws -> MobileMapPackage {
    try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: Self.day)
  }

  private func queue(_ portal: Portal, _ library: MapLibrary) -> JobQueue {
    let unpacked = temporaryDirectory.appending(path: "unpacked")
    let runner = OfflineJobRunner(
      OfflineEnvironment(
        library: library, connect: { _ in portal },
        check: { url in
          try await MobileMapPackage.open(at: url, unpackingInto: unpacked, now: Self.day).info
            .title
        },
        surroundings: OfflineSurroundings(
          freeSpace: { _ in nil }, clock: ContinuousClock(), now: { Self.day }, chance: { 0 },
          makeID: { UUID() })))
    return JobQueue(
      journal: library.storage, runner: runner,
      environment: JobEnvironment(
        clock: ContinuousClock(), now: { Self.day }, makeID: { JobID(UUID()) }))
  }

  @Test func `An area becomes a map that answers with no network`() async throws {
    let demo = try await DemoPortal.standard(
      state: DemoState(seed: 1, folder: temporaryDirectory.appending(path: "portal")))
    let root = try #require(URL(string: "http://demo.portolan.example"))
    let client = RESTClient(
      transport: InProcessTransport(demo), authenticator: AnonymousAuthenticator())
    let portal = Portal(url: root, client: client)
    let found = try await portal.findItems(.init(query: "\"Explore Maine\"", kinds: [.webMap]))
    let item = try #require(found.results.first)
    let webMap = item.id
    let areas = try await OfflineMapTask(portal: portal, webMap: webMap).preplannedMapAreas()
    #expect(Set(areas.map(\.packagingStatus)) == [.complete, .processing, .failed])
    let ready = areas.filter(\.canDownload)
    let area = try #require(ready.first)

    try layout.prepare()
    let storage = try await SQLiteMapStorage.open(at: layout.catalogue)
    let library = MapLibrary(
      layout: layout, storage: storage, now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    let job = try await download(area, of: webMap, from: portal, into: library)
    #expect(job.state == .succeeded && job.progress.fraction == 1, "\(job)")

    let maps = try await library.maps()
    let stored = try #require(maps.first)
    let opened = try await library.open(stored.id)
    let package = try await open(opened.url)
    let mobileMap = try #require(package.maps.first)
    let map = MapModel(map: mobileMap)
    await map.load()
    let unusable = map.tableOfContents.state.flattened.filter { $0.problem != nil }
    #expect(unusable.map(\.title) == ["Harbor lights"])
    #expect(map.tableOfContents.state.flattened.count > 5)
    // As where the map is shown online.
    let credits = try #require(map.credits)
    let (features, tiles) = (
      "Facts compiled for the Portolan project.",
      "Facts compiled for the Portolan project; drawn by Portolan."
    )
    #expect(
      credits.hasPrefix("Portolan, ") && credits.contains(features) && credits.contains(tiles),
      "\(credits)")
    #expect(!map.legend.state.sections.isEmpty && !map.bookmarks.state.bookmarks.isEmpty)
  }

  private func download(
    _ area: PreplannedMapArea, of webMap: PortalItem.ID, from portal: Portal,
    into library: MapLibrary
  ) async throws -> Job {
    let queue = queue(portal, library)
    let parameters = DownloadPreplannedOfflineMapParameters(
      portal: portal.url, webMap: webMap.text, area: area.id.text)
    let id = try await queue.submit(
      kind: OfflineJobKind.preplannedArea.id, subject: area.id.text, title: area.portalItem.title,
      parameters: JSONEncoder().encode(parameters)
    ).job.id
    let work = Task { await queue.run() }
    defer { work.cancel() }
    for await jobs in await queue.updates() {
      if let job = jobs.first(where: { $0.id == id }), job.state.isFinal { return job }
    }
    throw CancellationError()
  }
}
