import DemoPortal
import Foundation
import PortolanCurl
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanOffline
import PortolanPortal
import PortolanTransport
import Synchronization
import Testing

/// The route by which the requests of a test reach its portal.
enum FaultNetwork: String, CaseIterable, Sendable {
  /// Within the process, without a socket.
  case inProcess = "in process"
  /// Over the live transport and a socket on this machine.
  case sockets = "over sockets"
}

/// A demo portal with a map, an area of two packages and a mobile map package, and a home that
/// takes them offline, without waiting for anything but the bytes.
final class FaultBed: Sendable {
  static let webMap = "0123456789abcdef0123456789abcdef"
  static let area = "a0000000000000000000000000000001"
  static let features = "b0000000000000000000000000000001"
  static let tiles = "b0000000000000000000000000000002"
  static let package = "c0000000000000000000000000000001"
  static let largeCount = 60_000

  let state: DemoState
  let portal: DemoPortal
  let clock = LeapingClock()
  let tokens = TokenHolder()
  let monitor = SwitchableNetworkMonitor()
  private let free = Mutex<Int?>(nil)
  let layout: HomeLayout
  let library: MapLibrary
  /// The portal's address.
  let root: URL
  private let server: DemoServer?
  private let live: LiveTransport?

  init(in folder: URL, over network: FaultNetwork = .inProcess) async throws {
    let (clock, monitor) = (clock, monitor)
    state = DemoState(
      clock: DemoClock(now: { clock.date }, sleep: { try await clock.sleep(for: $0) }),
      folder: folder.appending(path: "portal"))
    portal = DemoPortal(state: state)
    switch network {
    case .inProcess:
      (server, live) = (nil, nil)
      root = try #require(URL(string: "https://demo.test"))
    case .sockets:
      let server = try DemoServer(portal)
      (self.server, root) = (server, server.url)
      live = LiveTransport(
        .init(curl: CurlConfiguration(userAgent: "Portolan/test")), monitor: monitor,
        clock: clock, now: { clock.date }, chance: { 0 })
    }
    layout = HomeLayout(home: folder.appending(path: "home"))
    try layout.prepare()
    library = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { clock.date }, clock: clock,
      unsentEdits: { try await UnsentEdits.count(in: $0) })
    for item in Self.items { await state.put(item) }
    await state.relate(Self.webMap, to: Self.area, as: "Map2Area")
    await state.relate(Self.area, to: Self.features, as: "Area2Package")
    await state.relate(Self.area, to: Self.tiles, as: "Area2Package")
  }

  /// Ends the connections, if there are any.
  func stop() async {
    await live?.close()
    await server?.stop()
  }

  // MARK: - What the portal has

  private static var items: [DemoItem] {
    var webMap = item(Self.webMap, "Explore", "Web Map")
    webMap.content = .document(map)
    var area = item(Self.area, "Coast", "Map Area")
    area.properties = ["status": "complete"]
    var features = item(Self.features, "Features", "SQLite Geodatabase")
    features.properties = ["url": "https://server.test/services/Parks/FeatureServer"]
    features.content = .bytes(SealedData.make(8_000, seed: 1))
    var tiles = item(Self.tiles, "Tiles", "Tile Package")
    tiles.properties = ["url": "https://server.test/services/Base/MapServer"]
    tiles.content = .bytes(SealedData.make(Self.largeCount, seed: 2))
    var package = item(Self.package, "Harbor", "Mobile Map Package")
    package.content = .bytes(SealedData.make(Self.largeCount, seed: 3))
    return [webMap, area, features, tiles, package]
  }

  private static func item(_ id: String, _ title: String, _ type: String) -> DemoItem {
    DemoItem(
      id: id, owner: "demo", title: title, type: type,
      created: Date(timeIntervalSince1970: 1_700_000_000))
  }

  private static let map = """
    {"version": "2.10", "operationalLayers": [{"id": "parks", "title": "Parks",
      "layerType": "ArcGISFeatureLayer",
      "url": "https://server.test/services/Parks/FeatureServer/0"}],
     "baseMap": {"title": "Base", "baseMapLayers": [{"id": "base", "title": "Base",
      "layerType": "ArcGISTiledMapServiceLayer",
      "url": "https://server.test/services/Base/MapServer"}]}}
    """

  /// Takes everything from public view, and signs `demo` in.
  func makePrivate() async {
    for var item in Self.items {
      item.access = .private
      await state.put(item)
    }
    await signIn()
  }

  func signIn() async {
    let token = await state.issueToken(
      for: .user("demo"), in: .portal, lifetime: .seconds(86_400 * 365))
    tokens.hold(token.value)
  }

  /// Changes an item as its owner would.
  func change(_ id: String, _ change: (inout DemoItem) -> Void) async {
    guard var item = await state.item(id) else { return }
    change(&item)
    await state.put(item)
  }

  // MARK: - What takes it offline

  /// Says how many bytes are free; `nil` for enough.
  func setFree(_ bytes: Int?) { free.withLock { $0 = bytes } }

  func makePortal() throws -> Portal {
    let (clock, monitor) = (clock, monitor)
    let transport: any HTTPTransport =
      if let live {
        ImpatientTransport(live)
      } else {
        RetryingTransport(
          OfflineGate(InProcessTransport(portal), monitor: monitor), clock: clock,
          now: { clock.date }, chance: { 0 })
      }
    return Portal(url: root, client: RESTClient(transport: transport, authenticator: tokens))
  }

  func makeQueue() throws -> JobQueue {
    let (clock, portal) = (clock, try makePortal())
    let environment = OfflineEnvironment(
      library: library, connect: { _ in portal }, check: { url in try Self.check(url) },
      surroundings: OfflineSurroundings(
        freeSpace: { [self] _ in free.withLock { $0 } }, clock: clock,
        now: { clock.date }, chance: { 0 }, makeID: { UUID() }))
    // On this clock a job that looks again by itself would never stand still.
    var policy = JobRetryPolicy.standard
    policy.recheck = nil
    return JobQueue(
      journal: library.storage, runner: OfflineJobRunner(environment), policy: policy,
      environment: JobEnvironment(
        clock: clock, now: { clock.date }, makeID: { JobID(UUID()) }))
  }

  private static func check(_ url: URL) throws -> String {
    let info = url.appending(path: "package.info").path(percentEncoded: false)
    if FileManager.default.fileExists(atPath: info) { return "map" }
    guard SealedData.isWhole(try Data(contentsOf: url)) else { throw BrokenSeal() }
    return url.lastPathComponent
  }

  func submit(_ isArea: Bool, to queue: JobQueue) async throws -> JobID {
    let parameters =
      isArea
      ? try JSONEncoder().encode(
        DownloadPreplannedOfflineMapParameters(
          portal: root, webMap: Self.webMap, area: Self.area))
      : try JSONEncoder().encode(
        DownloadMobileMapPackageParameters(portal: root, item: Self.package))
    let kind = isArea ? OfflineJobKind.preplannedArea.id : OfflineJobKind.mobileMapPackage.id
    return try await queue.submit(
      kind: kind, subject: isArea ? Self.area : Self.package,
      title: isArea ? "Coast" : "Harbor", parameters: parameters
    ).job.id
  }
}

/// The defect of a file that did not arrive as it was sent.
struct BrokenSeal: LocalizedError {
  var errorDescription: String? { "its seal is broken." }
}

/// Gives up on silence after moments, so that a test of it takes no longer.
private struct ImpatientTransport: HTTPTransport {
  private let base: any HTTPTransport

  init(_ base: any HTTPTransport) { self.base = base }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    var request = request
    request.timeouts.firstByte = .seconds(5)
    request.timeouts.stall = .milliseconds(300)
    // Measured on the clock that leaps, and so by every wait of the portal in any other request: a
    // small one that had to be repeated on a busy machine ended as one that had taken too long.
    request.timeouts.total = nil
    return try await base.send(request, into: sink)
  }
}
