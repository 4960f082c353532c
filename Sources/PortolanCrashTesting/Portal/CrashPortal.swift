internal import DemoPortal
internal import Foundation
internal import PortolanOffline
internal import PortolanPortal
internal import PortolanTransport

/// A demo portal whose areas are large enough to be killed in, and have as many versions as wanted.
struct CrashPortal: Sendable {
  /// An area that can be taken offline.
  struct Area: Sendable {
    let id: String
    let title: String
    /// The package that changes with each version.
    let geodatabase: String
    /// The packages that stay, with their bytes.
    let others: [String: Int]
    /// The geodatabase as the portal made it.
    let original: URL
  }

  let webMap: String
  /// Asks the portal without a network.
  let client: RESTClient
  let areas: [Area]
  private let state: DemoState
  private let server: DemoServer
  private let settings: CrashSettings
  private let folder: URL

  var url: URL { server.url }

  /// What was sent so far.
  var transfers: [DemoTransfer] { server.transfers }

  /// Starts a portal that sends no faster than the given rate.
  static func start(_ settings: CrashSettings) async throws -> CrashPortal {
    let folder = settings.folder.appending(path: "portal", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let state = DemoState(seed: settings.seed, folder: folder.appending(path: "made"))
    let demo = try await DemoPortal.standard(state: state)
    var configuration = DemoServer.Configuration()
    configuration.countsTransfers = true
    let server = try DemoServer(demo, configuration)
    let client = RESTClient(
      transport: InProcessTransport(demo), authenticator: AnonymousAuthenticator())
    let portal = Portal(url: server.url, client: client)
    let found = try await portal.findItems(.init(query: "\"Explore Maine\"", kinds: [.webMap]))
    guard let item = found.results.first else { throw CrashTestError.noArea }
    let webMap = item.id
    var areas: [Area] = []
    for area in try await OfflineMapTask(portal: portal, webMap: webMap).preplannedMapAreas()
    where area.canDownload {
      areas.append(try await Self.area(area, of: webMap, on: portal, in: folder))
    }
    guard !areas.isEmpty else { throw CrashTestError.noArea }
    let started = CrashPortal(
      webMap: webMap.text, client: client, areas: areas, state: state, server: server,
      settings: settings, folder: folder)
    await started.setRanges(true)
    return started
  }

  private static func area(
    _ area: PreplannedMapArea, of webMap: PortalItem.ID, on portal: Portal, in folder: URL
  ) async throws -> Area {
    let packages = try await OfflineMapTask(portal: portal, webMap: webMap).packages(of: area)
    guard let geodatabase = packages.first(where: { $0.kind == .geodatabase }) else {
      throw CrashTestError.noArea
    }
    var others: [String: Int] = [:]
    for package in packages {
      let file = try await portal.client.download(
        portal.dataURL(of: package.id), to: folder.appending(path: package.fileName),
        options: .init(), clock: ContinuousClock(), chance: { 0 })
      if package.id != geodatabase.id { others[package.id.text] = file.byteCount }
    }
    return Area(
      id: area.id.text, title: area.portalItem.title, geodatabase: geodatabase.id.text,
      others: others,
      original: folder.appending(path: geodatabase.fileName))
  }

  /// Puts a version of an area's geodatabase on the portal; answers its bytes.
  func publish(_ version: Int, of area: Area) async throws -> Int {
    let file = folder.appending(path: "\(area.id)-\(version).geodatabase")
    try PaddedGeodatabase(version: version, padding: settings.padding)
      .write(area.original, to: file)
    guard var item = await state.item(area.geodatabase) else { throw CrashTestError.noArea }
    let data = try Data(contentsOf: file)
    item.content = .bytes(data)
    item.modified = item.modified.addingTimeInterval(60)
    await state.put(item)
    try FileManager.default.removeItem(at: file)
    return data.count
  }

  /// Puts a newer version of the smallest package that stays on the portal, with the same bytes.
  ///
  /// - Returns: The package, with its bytes.
  func renewPackage(of area: Area) async throws -> (id: String, byteCount: Int) {
    guard let (id, byteCount) = area.others.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
      var item = await state.item(id)
    else { throw CrashTestError.noArea }
    item.modified = item.modified.addingTimeInterval(60)
    await state.put(item)
    return (id, byteCount)
  }

  /// Whether the portal sends parts of files.
  func setRanges(_ areSent: Bool) async {
    await state.removeFaults()
    await state.add(DemoFault(.slow(bytesPerSecond: settings.rate), path: "*/data"))
    if !areSent { await state.add(DemoFault(.noRanges, path: "*/data")) }
  }

  func stop() async {
    await server.stop()
    await state.removeFiles()
  }
}
