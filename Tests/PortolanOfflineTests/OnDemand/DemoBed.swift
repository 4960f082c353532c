import DemoPortal
import Foundation
import Glibc
import PortolanFiles
import PortolanGeometry
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanPackages
import PortolanPortal
import PortolanSample
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// A home and the demo portal in one process, with time that stands still.
struct DemoBed {
  static let day = Date(timeIntervalSince1970: 1_795_000_000)

  /// Casco Bay and Portland.
  static let casco = OfflineArea(
    Envelope(xMin: -70.6, yMin: 43.4, xMax: -69.9, yMax: 43.9), .wgs84)

  /// Read once: drawing what is attached to lighthouses takes time.
  private static let contents = Result { try SampleContents() }

  let state: DemoState
  let transport: RecordingTransport
  let portal: Portal
  let webMap: PortalItem.ID
  let storage = InMemoryMapStorage()
  let library: MapLibrary
  let environment: OfflineEnvironment

  init(
    in folder: URL, looksPerJob: Int = 1, edits: @escaping MapLibrary.UnsentEdits = { _ in 0 },
    files: FileSystem = .live, through wrapped: (any HTTPTransport) -> any HTTPTransport = { $0 }
  )
    async throws
  {
    let clock = DemoClock(now: { Self.day }, sleep: { _ in })
    state = DemoState(seed: 7, clock: clock, looksPerJob: looksPerJob)
    let demo = try await DemoPortal.standard(state: state, contents: Self.contents.get())
    transport = RecordingTransport(wrapped(InProcessTransport(demo)))
    let portal = Portal(
      url: try #require(URL(string: "https://demo.test")),
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
    self.portal = portal
    let found = try await portal.client.json(
      portal.restURL.appending(path: "search"),
      ["q": "type:\"Web Map\" Explore Maine", "num": "50"])
    let maps = found["results"]?.array ?? []
    let map = maps.first { $0["title"]?.string == "Explore Maine" } ?? maps.first
    webMap = try PortalItem.ID(try #require(map?["id"]?.string))
    let layout = HomeLayout(home: folder.appending(path: "home"))
    try layout.prepare()
    library = MapLibrary(
      layout: layout, storage: storage, now: { Self.day }, unsentEdits: edits, files: files,
      report: { _ in })
    let unpacked = folder.appending(path: "unpacked")
    environment = OfflineEnvironment(
      library: library, connect: { _ in portal },
      check: { url in
        guard ["geodatabase", "tpk", "tpkx", "vtpk"].contains(url.pathExtension) else {
          let package = try await MobileMapPackage.open(
            at: url, unpackingInto: unpacked, now: Self.day)
          return package.info.title
        }
        return url.lastPathComponent
      },
      surroundings: OfflineSurroundings(
        freeSpace: { _ in nil }, clock: ImmediateClock(), now: { Self.day }, chance: { 0 },
        makeID: { UUID() }))
  }

  /// A disk that does not confirm that a map has moved into its folder, as long as that is noted.
  static func disk(unconfirming container: Locked<String?>) -> FileSystem {
    FileSystem { call in
      if case .move(_, let place) = call, place.contains("/home/maps/") {
        container.withLock { $0 = (place as NSString).deletingLastPathComponent }
      }
      return container.withLock({ $0 }).map { call == .sync($0) } == true ? EIO : nil
    }
  }

  var task: OfflineMapTask { OfflineMapTask(portal: portal, webMap: webMap) }

  func parameters() async throws -> GenerateOfflineMapParameters {
    try await task.makeDefaultGenerateOfflineMapParameters(
      areaOfInterest: Self.casco, minScale: 5_000_000, maxScale: 500_000, id: UUID())
  }
}

/// Remembers the paths that were asked for.
actor RequestLog {
  private(set) var paths: [String] = []

  func add(_ path: String) { paths.append(path) }

  func count(of suffix: String) -> Int { paths.count { $0.hasSuffix(suffix) } }
}

/// Hands requests on and remembers them.
struct RecordingTransport: HTTPTransport {
  let log = RequestLog()
  private let inner: any HTTPTransport

  init(_ inner: any HTTPTransport) { self.inner = inner }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    await log.add(request.url.path())
    return try await inner.send(request, into: sink)
  }
}

/// A clock whose pauses are over at once.
struct ImmediateClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration
    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  var now: Instant { Instant(offset: .zero) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    await Task.yield()
  }
}
