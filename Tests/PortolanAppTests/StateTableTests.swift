import Foundation
import PortolanAuthoring
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanMap
import PortolanPortal
import PortolanRendering
import PortolanTestSupport
import PortolanTileCache
import PortolanTransport
import Testing

@testable import PortolanApp

/// One state of every model, written and read.
@MainActor
@Suite(.temporaryDirectory) struct StateTableTests {
  /// Tells whether a state is the same after it was written and read.
  private typealias Check = () throws -> Bool

  private let problem = Problem(
    .alreadyExists, message: "It is there.", suggestion: "Choose another name.",
    actions: [.init(.chooseAnotherName)])

  private func comesBack<State: Hashable & Sendable & Codable>(_ state: State) -> Check {
    { try StateCoding.state(State.self, from: try StateCoding.data(of: state)) == state }
  }

  @Test func `A realistic state of every model is written and read without loss`() async throws {
    var table = try await mapStates()
    for part in try [fileStates(), deviceStates(), portalStates(), accountStates()] {
      table.merge(part) { first, _ in first }
    }
    table["TileRegionsModel"] = comesBack(try await tileRegions())
    #expect(Set(table.keys) == (try modelNames()), "the table has every observable model")
    for (name, check) in table {
      let isSame = try check()
      #expect(isSame, "\(name)")
    }
  }

  /// The observable models of PortolanApp, but the one that holds the others.
  private func modelNames() throws -> Set<String> {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/PortolanApp").standardizedFileURL
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var names: Set<String> = []
    for case let file as URL in files where file.lastPathComponent.hasSuffix("Model.swift") {
      let text = try String(contentsOf: file, encoding: .utf8)
      if text.contains("\n@Observable\n") {
        names.insert(file.deletingPathExtension().lastPathComponent)
      }
    }
    return names.subtracting(["AppModel"])
  }

  private func mapStates() async throws -> [String: Check] {
    var memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    memory.isEditable = true
    let model = MapModel(
      map: try memory.map([MemoryMap.layer("a"), MemoryMap.layer("gone")]),
      drawing: PictureDrawing())
    await model.load()
    await model.search.find("a 1")
    await model.identify.identify(longitude: 0, latitude: 0)
    try await model.popups.select(0)
    try model.bookmarks.go(to: 0)
    let form = try await model.editing.form(for: 1, in: "a")
    try form.setText("camp", of: "NAME")
    let typed = comesBack(form.state)
    _ = try await form.submit()
    var options = SnapshotModel.Options()
    (options.width, options.height) = (8, 8)
    _ = try await model.snapshot.draw(options)
    return [
      "MapModel": comesBack(model.state),
      "TableOfContentsModel": comesBack(model.tableOfContents.state),
      "LegendModel": comesBack(model.legend.state),
      "BookmarksModel": comesBack(model.bookmarks.state),
      "IdentifyModel": comesBack(model.identify.state),
      "PopupsModel": comesBack(model.popups.state),
      "EditingModel": comesBack(model.editing.state), "FeatureFormModel": typed,
      "SearchModel": comesBack(model.search.state),
      "SnapshotModel": comesBack(model.snapshot.state),
    ]
  }

  private func fileStates() throws -> [String: Check] {
    var report = ConversionReport()
    report.tables = [
      .init(
        source: "Wells", name: "wells", file: "wells.csv", readCount: 3, writtenCount: 2,
        attachmentCount: 1)
    ]
    report.failures = [
      .init(part: "Wells", item: "3", reason: "It has no shape.", summary: "Wells 3 has no shape.")
    ]
    report.failureCount = 1
    let progress = WorkProgress(part: "8", unit: .tiles, completed: 3, total: nil)
    let authored = try StateCoding.state(
      AuthoringReport.self,
      from: Data(
        #"""
        {"title": "Places", "notes": ["A note."], "failures": [], "failureCount": 0, "size": 9,
         "maps": [{"name": "m", "title": "M", "layerCount": 2, "bookmarkCount": 1}],
         "tables": [{"name": "t", "readCount": 3, "writtenCount": 3}]}
        """#.utf8))
    let contents = PackageModel.Contents(
      url: temporaryDirectory, title: "Maine", summary: nil, version: "3.2",
      extent: Envelope(xMin: -71, yMin: 43, xMax: -67, yMax: 47.5),
      maps: [.init(name: "m", title: "M", layerCount: 2, bookmarkCount: 1, problem: problem)],
      warnings: ["It expired."], hasThumbnail: true)
    let omission = PictureOmission(layer: "A", reason: "No font.", count: 2)
    return [
      "ConversionModel": comesBack(ConversionModel.State.done(report)),
      "AuthoringModel": comesBack(AuthoringModel.State.done(authored)),
      "PreviewModel": comesBack(PreviewModel.State.shown(authored, revision: 2)),
      "WatchedFolderModel": comesBack(
        WatchedFolderModel.State(
          offers: [.init(id: "/a/b.mmpk", name: "b", byteCount: 3)], problem: problem)),
      "PackageModel": comesBack(PackageModel.State.open(contents)),
      "PackageSearchModel": comesBack([
        PackageSearchModel.State.suggested(
          [
            .init(
              suggestion: .init(label: "a 1", sourceTitle: "a", isCollection: true),
              maps: [.init(index: 1, title: "M")])
          ], mapCount: 2, unsearched: [problem]),
        .found([], mapCount: 1, unsearched: []), .failed(problem),
      ]),
      "MapTilesModel": comesBack([
        MapTilesModel.State.writing(progress),
        .written(MapTilesResult(file: report, omissions: [omission])),
      ]),
      "SharingModel": comesBack([
        SharingModel.State.running(.init(bytes: 1, totalBytes: 2)),
        .done(
          .init(
            id: "a", title: "A", page: temporaryDirectory, access: .org, size: 3, replaced: true,
            resumedBytes: 1, notSharedWith: ["g"])),
      ]),
    ]
  }

  private func deviceStates() throws -> [String: Check] {
    let job = Job(
      id: JobID(UUID()), kind: "area", subject: "a", title: "A", parameters: Data([1]),
      created: Date(timeIntervalSince1970: 1.5), position: 0)
    let map = StorageUsage.Map(
      id: "a", title: "A", size: .init(byteCount: 1, allocatedByteCount: 4096),
      reclaimableByteCount: 4096, deleted: .distantPast)
    var usage = StorageUsage()
    usage.maps = [map]
    usage.messages = [
      .init(purpose: "Give it up.", host: "a.example", created: .distantPast, givenUp: "No.")
    ]
    let storage = StorageModel.State(
      findings: [.init(kind: .damaged, sentence: "A file is missing.", repair: "It is fetched.")],
      usage: usage,
      kept: [
        .init(
          name: "k", mapID: "k", title: nil, isDeleted: true, path: "/k", byteCount: 1,
          geodatabases: ["/k/a.geodatabase"])
      ])
    let contents = try StateCoding.state(
      StoredContents.self,
      from: Data(
        #"""
        {"mapCount": 3,
         "expiration": {"date": 800000000, "message": "Ask for more.", "preventsAccess": true}}
        """#.utf8))
    var list = MapListModel.State()
    list.items = [
      MapListItem(
        id: "a", kind: .area, title: "A",
        state: .stored(
          StoredCopy(
            installed: .distantPast, omissions: ["x"], contents: contents, isExpired: true,
            transfer: MapTransfer(job))))
    ]
    list.banner = problem
    list.updates = [
      MapUpdate(
        id: "a", title: "A", installed: .distantPast, storedModified: nil, portalModified: .now,
        freshness: .unknown(problem))
    ]
    list.imported = PackageImport(
      outcome: .replaced, id: "a", title: "A", byteCount: 7, warnings: ["It expires."],
      isComplete: true)
    var status = StatusModel.State()
    (status.isOnline, status.mapCount, status.jobs) = (false, 1, [job])
    (status.usage, status.openTitle, status.accountProblem) = (usage, "A", problem)
    let conflict = SyncModel.Conflict(
      id: 7, table: "wells", objectID: 3, edit: "update", reason: "Others have edited it.",
      isConflict: true, isGoneThere: false,
      differences: [.init(field: "NAME", label: "Name", mine: "a", theirs: nil)],
      isMovedApart: false)
    let offline = OfflineMapModel.State(
      capabilities: .init(
        layers: [
          .init(
            id: "a", title: "A", isBasemap: false, supportsOffline: true, remainsOnline: false,
            isCopyOnly: true, issue: "It does not sync.")
        ], tables: [], hasErrors: true),
      estimate: nil, problem: problem, isAsking: true)
    return [
      "JobListModel": comesBack(
        JobListModel.State(
          jobs: [job], paces: [job.id: .init(bytesPerSecond: 1e6, secondsLeft: 2.5)])),
      "StorageModel": comesBack(storage),
      "MapListModel": comesBack(list), "StatusModel": comesBack(status),
      "SyncModel": comesBack(
        SyncModel.State(map: "a", title: "A", conflicts: [conflict], problem: problem)),
      "OfflineMapModel": comesBack(offline),
    ]
  }

  private func portalStates() throws -> [String: Check] {
    let url = try #require(URL(string: "https://gis.example.org/portal"))
    let row = PortalBrowserModel.Row(
      id: "a", title: "A", kind: "Web Map", owner: "kim", snippet: nil, modified: .distantPast,
      size: 7, extent: nil)
    let details = PortalItemModel.Details(
      id: "a", title: "A", kind: "Web Map", tags: ["t"], url: url, thumbnail: Data([0, 255]),
      thumbnailProblem: problem)
    let layer = WebMapModel.Row(
      id: "a", title: "A", type: "ArcGISFeatureLayer", groups: ["G"], isBasemap: false,
      status: .failed(problem))
    return [
      "PortalBrowserModel": comesBack(
        PortalBrowserModel.State(
          portal: url, text: "maine", kinds: [.webMap], rows: [row], total: 45, pageCount: 3,
          page: 2,
          hasMore: true, reachableCount: 9999, phase: .failed(problem))),
      "PortalItemModel": comesBack(PortalItemModel.State.loaded(details)),
      "PortalInformationModel": comesBack(
        PortalInformationModel.State.loaded(
          .init(
            url: url, name: "Harbour", organization: nil, isEnterprise: true, version: "11.3",
            username: "kim", supportsOAuth: true))),
      "WebMapModel": comesBack(
        WebMapModel.State.loaded(
          .init(title: "A", itemID: nil, version: "2.31", bookmarkCount: 1, layers: [layer]))),
    ]
  }

  private func accountStates() throws -> [String: Check] {
    let url = try #require(URL(string: "https://gis.example.org/portal"))
    let user = SignedInUser(
      portal: url, username: "kim", fullName: "Kim Reed", organization: nil, method: .password,
      expires: .distantFuture, needsSignIn: true, isOffline: false)
    var busy = user
    busy.check = .unknown(reason: "It is busy.")
    let settings = Settings(
      file: ["page-size": 30, "theme": "dark"], environment: ["PORTOLAN_PAGE_SIZE": "many"],
      flags: [.plainHTTPHosts: "a.example"])
    #expect(settings.faults.count == 2)
    var waiting = HostWaitModel.State()
    waiting.wait = JobHostWait(host: "gis.example.org", since: .distantPast, until: .distantFuture)
    return [
      "SessionModel": comesBack(
        SessionState(portal: url, phase: .needsSignIn(user), users: [user, busy], problem: problem)),
      "SettingsModel": comesBack(settings),
      "HostWaitModel": comesBack(waiting),
      "NetworkModel": comesBack([NetworkStatus.offline(.notConnected), .online(isMetered: true)]),
      "AuthenticationPromptModel": comesBack([
        AuthenticationPromptModel.Question(
          id: 1, portal: url, host: "server.example", username: nil, reason: .expired)
      ]),
    ]
  }

  private func tileRegions() async throws -> TileRegionsModel.State {
    let server = TileWorld()
    var surroundings = TileCacheSurroundings(
      file: temporaryDirectory.appending(path: "tiles/MapCache.sqlite"),
      transport: server.transport)
    surroundings.now = { server.date }
    surroundings.freeSpace = { _ in 1_000_000_000 }
    let model = TileRegionsModel(surroundings)
    var options = TileSourceOptions()
    options.allowsBulk = true
    let request = TileRegionRequest(
      name: "Area 1", source: "https://tiles.example/{z}/{x}/{y}.png",
      extent: .corridor(along: [Coordinate(x: 10, y: 10), Coordinate(x: 11, y: 11)], padding: 500),
      levels: 4...5)
    try await model.draw(request, options)
    try await model.create(request, options)
    #expect(model.state.regions.count == 1)
    return model.state
  }
}
