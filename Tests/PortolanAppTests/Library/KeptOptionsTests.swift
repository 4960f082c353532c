import DemoPortal
import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanRendering
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// Areas that are downloaded anew, and how they were downloaded before.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct KeptOptionsTests {
  private nonisolated static let day = HomeLibrary.testDay

  private struct OnePortal: PortalConnecting {
    let portal: Portal

    func portal(at url: URL?) async throws(PortalError) -> Portal { portal }
  }

  /// A map list with an area that can be downloaded.
  @MainActor private struct Stage {
    let demo: DemoPortal
    let library: HomeLibrary
    let model: MapListModel
    let area: String

    func download(_ options: DownloadOptions = DownloadOptions()) async throws {
      _ = try await model.download(area, options: options)
      try await finish()
    }

    /// Brings a newer version as people do who name none.
    func update() async throws {
      try await demo.state.touch(area)
      #expect(try await model.startUpdates().map(\.outcome) == [.started])
      try await finish()
    }

    private func finish() async throws {
      let jobs = JobListModel(queue: library.queue, journal: library.storage)
      await jobs.load()
      let ids = jobs.jobs.filter { !$0.state.isFinal }.map(\.id)
      let done = await jobs.work(until: ids) { _ in }
      #expect(done.map(\.state) == [.succeeded], "\(done)")
      try await model.load()
    }

    func stored() async throws -> StoredMap {
      let id = try #require(MapID(area))
      return try #require(try await library.storage.storedMap(id))
    }

    private func document(_ name: String) async throws -> JSONValue {
      let place = library.maps.layout.place(of: try await stored())
      return try JSONValue(
        parsing: Data(contentsOf: place.appending(path: "p13/mobile_map.\(name)")))
    }

    func modes() async throws -> Set<String> {
      let packages = try await document("marea")["packages"]?.array ?? []
      return Set(packages.compactMap { $0["preplannedUpdateMode"]?.string })
    }

    func basemap() async throws -> [String] {
      let layers = try await document("mmap")["map"]?["baseMap"]?["baseMapLayers"]?.array ?? []
      return layers.compactMap { $0["title"]?.string }
    }
  }

  private func stage() async throws -> Stage {
    let demo = try await DemoPortal.standard(
      state: DemoState(seed: 1, folder: temporaryDirectory.appending(path: "portal")))
    let portal = Portal(
      url: try #require(URL(string: "http://demo.portolan.example")),
      client: RESTClient(
        transport: InProcessTransport(demo), authenticator: AnonymousAuthenticator()))
    let found = try await portal.findItems(.init(query: "\"Explore Maine\"", kinds: [.webMap]))
    let webMap = try #require(found.results.first).id.text
    let library = try library(portal)
    let model = MapListModel(
      library: library, portals: OnePortal(portal: portal), monitor: SwitchableNetworkMonitor())
    try await model.add(webMap: webMap)
    let area = try #require(model.state.items.first { $0.state == .available }).id
    return Stage(demo: demo, library: library, model: model, area: area)
  }

  private func library(_ portal: Portal) throws -> HomeLibrary {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    return HomeLibrary(
      testing: maps, packages: FilePackageOpener(unpackingInto: temporaryDirectory),
      connect: { _ in portal }, drawing: PictureDrawing())
  }

  private static let options = DownloadOptions(
    includesBasemap: false, continuesOnErrors: false, updateMode: .syncWithFeatureServices)

  @Test func `An update keeps how an area was downloaded`() async throws {
    let stage = try await stage()
    try await stage.download(Self.options)
    let options = try await stage.stored().options
    #expect(options?.basemap == .leftOut && options?.continuesOnErrors == false)
    try await stage.update()
    #expect(try await stage.stored().version == 2)
    #expect(try await stage.stored().options == options)
    #expect(try await stage.modes() == ["syncWithFeatureServices"])
    #expect(try await stage.basemap() == [])
  }

  @Test func `Downloading an area again without options uses the stored ones`() async throws {
    let stage = try await stage()
    try await stage.download(Self.options)
    try await stage.demo.state.touch(stage.area)
    try await stage.download()
    #expect(try await stage.modes() == ["syncWithFeatureServices"])
    #expect(try await stage.basemap() == [])
  }

  @Test func `Options that are given count, and the others stay`() async throws {
    let stage = try await stage()
    try await stage.download(Self.options)
    try await stage.download(DownloadOptions(includesBasemap: true))
    #expect(try await stage.modes() == ["syncWithFeatureServices"])
    #expect(try await !stage.basemap().isEmpty)
    try await stage.download(DownloadOptions(updateMode: .noUpdates))
    #expect(try await stage.modes() == ["noUpdates"])
    #expect(try await !stage.basemap().isEmpty)
    let options = try await stage.stored().options
    #expect(options?.continuesOnErrors == false && options?.basemap == .ofMap)
  }

  @Test func `An area is kept up to date as its author has set it up, until a person chooses`()
    async throws
  {
    let stage = try await stage()
    try await stage.download()
    #expect(try await stage.modes() == ["downloadScheduledUpdates"])
    #expect(try await stage.stored().options?.updateMode == "downloadScheduledUpdates")
    try await stage.download(DownloadOptions(updateMode: .noUpdates))
    #expect(try await stage.modes() == ["noUpdates"])
    // As where an older Portolan stored it, which kept no area up to date unless told to.
    try await stage.update()
    #expect(try await stage.modes() == ["noUpdates"])
    #expect(try await stage.stored().options?.updateMode == "noUpdates")
  }

  @Test(
    arguments: [
      (false, "downloadScheduledUpdates"), (true, "noUpdates"), (nil, "noUpdates"),
    ] as [(Bool?, String)])
  func `An update follows the author of an area again, unless a person has chosen its mode`(
    _ isChosen: Bool?, _ mode: String
  ) async throws {
    let stage = try await stage()
    try await stage.download()
    #expect(try await stage.stored().options?.isUpdateModeChosen == false)
    // As the area was when its author had it kept up to date in no way.
    var map = try await stage.stored()
    map.options?.updateMode = "noUpdates"
    map.options?.isUpdateModeChosen = isChosen
    try await stage.library.storage.save(map)
    try await stage.update()
    #expect(try await stage.modes() == [mode])
    #expect(try await stage.stored().options?.updateMode == mode)
    #expect(try await stage.stored().options?.isUpdateModeChosen == (isChosen != false))
  }

  @Test func `What changes nothing in the map is kept for the next update`() async throws {
    let stage = try await stage()
    try await stage.download()
    try await stage.download(DownloadOptions(continuesOnErrors: false))
    #expect(try await stage.stored().version == 1)
    #expect(try await stage.stored().options?.continuesOnErrors == false)
  }

  @Test(arguments: [
    ("nowhere.tpkx", ErrorCode.noSuchFile, Problem.Kind.absence),
    ("nowhere.txt", .noReferenceBasemap, .failure),
  ])
  func `A basemap that cannot be used keeps a download from being planned and begun`(
    _ name: String, _ code: ErrorCode, _ kind: Problem.Kind
  ) async throws {
    let stage = try await stage()
    let options = DownloadOptions(referenceBasemap: temporaryDirectory.appending(path: name))
    let planned = await #expect(throws: Problem.self) {
      try await stage.model.preview(stage.area, options: options)
    }
    #expect(planned?.code == code && planned?.kind == kind)
    await #expect(throws: Problem.self) {
      try await stage.model.download(stage.area, options: options)
    }
    #expect(try await stage.library.storage.jobs().isEmpty)
  }

  @Test func `An update keeps a basemap of this device, be the file gone`() async throws {
    let stage = try await stage()
    let file = temporaryDirectory.appending(path: "My harbours.tpkx")
    try Data("tiles".utf8).write(to: file)
    try await stage.download(DownloadOptions(referenceBasemap: file))
    try FileManager.default.removeItem(at: file)
    try await stage.update()
    #expect(try await stage.basemap() == ["My harbours"])
    let place = stage.library.maps.layout.place(of: try await stage.stored())
    #expect(
      try Data(contentsOf: place.appending(path: "p13/basemap.tpkx")) == Data("tiles".utf8))
    try await stage.download(DownloadOptions(includesBasemap: true))
    #expect(try await stage.basemap() != ["My harbours"])
    let later = stage.library.maps.layout.place(of: try await stage.stored())
    let names = try FileManager.default.contentsOfDirectory(
      atPath: later.appending(path: "p13").path(percentEncoded: false))
    #expect(!names.contains("basemap.tpkx"))
  }

  @Test(arguments: [true, false])
  func `For an area that an older Portolan stored, the package says how`(
    _ hasFile: Bool
  ) async throws {
    let stage = try await stage()
    let file = temporaryDirectory.appending(path: "My harbours.tpkx")
    try Data("tiles".utf8).write(to: file)
    var options = Self.options
    if hasFile { (options.includesBasemap, options.referenceBasemap) = (nil, file) }
    try await stage.download(options)
    var map = try await stage.stored()
    map.options = nil
    try await stage.library.storage.save(map)
    try await stage.update()
    #expect(try await stage.modes() == ["syncWithFeatureServices"])
    #expect(try await stage.basemap() == (hasFile ? ["My harbours"] : []))
    #expect(try await stage.stored().options?.updateMode == "syncWithFeatureServices")
  }

  @Test(arguments: [true, false])
  func `A map that a repair took off the list is downloaded as it was`(
    _ isGone: Bool
  ) async throws {
    let stage = try await stage()
    try await stage.download(Self.options)
    let place = stage.library.maps.layout.place(of: try await stage.stored())
    try FileManager.default.removeItem(
      at: isGone ? place : place.appending(path: "p13/mobile_map.mmap"))
    let findings = try await stage.library.audit.findings()
    #expect(await stage.library.audit.repair(findings).isEmpty)
    try await stage.model.load()
    try await stage.download()
    #expect(try await stage.modes() == ["syncWithFeatureServices"])
    #expect(try await stage.basemap() == [])
  }

  @Test func `A map that another process deleted is downloaded as any other`() async throws {
    let stage = try await stage()
    try await stage.download(Self.options)
    try await stage.model.delete(stage.area)
    try await stage.download()
    #expect(try await stage.modes() == ["downloadScheduledUpdates"])
    #expect(try await !stage.basemap().isEmpty)
  }
}
