public import Foundation
internal import Observation
public import PortolanApp
internal import PortolanCrypto
internal import PortolanHTTPServer
internal import PortolanJSON
internal import PortolanJobs

/// The screens of Portolan in a browser on this machine.
///
/// It listens on 127.0.0.1. Open ``url``, which lets that browser in; all browsers show the same
/// open map.
@MainActor
public final class WebApp: RunningWebApp {
  /// The address to open.
  public let url: URL

  public nonisolated var urlForOneBrowser: URL {
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.percentEncodedQuery = handler.gate.queryForOneBrowser()
    return components?.url ?? url
  }

  /// Answers the requests.
  let handler: WebHandler
  private let server: HTTPServer
  private let events: EventHub
  private let follower: ScreenFollower
  private let app: AppModel
  private let account: AccountScreens
  private let demo: (any TourStage)?
  private let clock: any Clock<Duration>

  /// The interval of keep-alives to a page without events.
  private static let pingInterval = Duration.seconds(15)
  /// The most bytes of an attachment.
  private static let bodyLimit = 32 << 20
  /// A page keeps one open, and others while it loads.
  private static let mostConnections = 1_000

  /// Starts serving.
  ///
  /// - Parameters:
  ///   - app: What is open, and its screens.
  ///   - account: Who uses it.
  ///   - port: The port to listen on, or 0 for one that is free.
  ///   - demo: The stage whose demo portal it shows, if it shows one.
  ///   - record: Which web app ran last: its port is taken again if none is asked for and it is free, and
  ///     its browsers are let in again on that port.
  ///   - clock: Measures pauses.
  /// - Throws: A problem if the port is taken, or Leaflet is not installed.
  public init(
    _ app: AppModel, account: AccountScreens, port: UInt16 = 0, demo: (any TourStage)? = nil,
    record: (any WebAppRecordKeeping)? = nil, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(Problem) {
    let files = try Self.files()
    self.app = app
    self.account = account
    self.demo = demo
    self.clock = clock
    events = EventHub()
    let revisions = MapRevisions(random: .system)
    follower = ScreenFollower(app: app, account: account, hub: events, revisions: revisions)
    let door = DeferredHandler()
    let last = record?.read()
    do { server = try Self.server(at: port, before: last?.port, door) } catch {
      throw Problem(
        .portInUse, message: "Another program listens on port \(port), or it may not be used.",
        suggestion: "Choose another port above 1023, or none for a free one.")
    }
    let actualPort = server.port
    let gate = WebGate(
      port: actualPort, random: .system,
      browsers: last.flatMap { $0.port == actualPort ? $0.browsers : nil } ?? []
    ) { browsers in
      // Without a record an open page must be opened again the next time.
      try? record?.write(WebAppRecord(port: actualPort, browsers: browsers))
    }
    handler = WebHandler(
      gate: gate, files: files, events: events,
      actions: WebActions(
        app: app, account: account, revisions: revisions, demo: demo),
      images: WebImages(app: app, revisions: revisions))
    door.open(handler)
    guard let url = URL(string: "http://127.0.0.1:\(server.port)/?\(gate.query)") else {
      throw Problem(message: "The server has no address.")
    }
    self.url = url
    events.publish("hello", Self.greeting(demo, version: files.version).encoded())
  }

  /// The files of the page, and Leaflet.
  private static func files() throws(Problem) -> PageFiles {
    guard let page = PageFiles.folder else {
      throw Problem(
        message: "The files of the web app are missing.",
        suggestion: "Put the folder \(PageFiles.bundleName) beside the program, or build it again.")
    }
    let files = PageFiles(page: page)
    guard files.hasLeaflet else {
      throw Problem(
        message: "Leaflet, which draws the map in the browser, is not installed.",
        suggestion: "Install the package libjs-leaflet.")
    }
    return files
  }

  /// A server at a port; without one at that of the web app before, if it is free.
  private static func server(
    at port: UInt16, before: UInt16?, _ door: DeferredHandler
  ) throws(HTTPServerError) -> HTTPServer {
    var configuration = HTTPServer.Configuration(port: port)
    configuration.bodyLimit = bodyLimit
    configuration.connections = mostConnections
    if port == 0, let before {
      configuration.port = before
      // Another program may have it.
      if let server = try? HTTPServer(configuration, handler: door) { return server }
      configuration.port = 0
    }
    return try HTTPServer(configuration, handler: door)
  }

  /// Works on downloads and informs pages of changes, until the task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.follower.run() }
      group.addTask { await self.account.network.watch() }
      group.addTask { await self.app.library?.run(readingContents: true) }
      group.addTask { await self.openScreens() }
      group.addTask { await self.app.library?.followWatchedFolder(clock: self.clock) }
      group.addTask { await self.showSynchronized() }
      group.addTask { await self.drawWhenOnline() }
      group.addTask { await self.ping() }
    }
  }

  /// Ends what is under way and closes every connection.
  public func stop() async {
    await server.stop()
    await app.tiles?.stopServing()
    await handler.actions.end()
  }

  /// Reads what is stored, so that the first page finds it.
  ///
  /// The session is restored afterwards: that may need a network, and the content of this device
  /// must not wait for it.
  private func openScreens() async {
    TemporaryFolder.removeAbandoned()
    follower.problem = nil
    do throws(Problem) { try await openLibrary() } catch { follower.problem = error }
    do throws(Problem) { try await app.tiles?.resumeInterrupted() } catch {
      // The state of the tile cache says why; everything else opens all the same.
    }
    do throws(Problem) { try await account.session.restore() } catch {
      // The state of the session says why; maps open all the same.
    }
    guard let demo else { return }
    do throws(Problem) { try await app.library?.maps().add(webMap: demo.webMap) } catch {
      follower.problem = error
    }
  }

  private func openLibrary() async throws(Problem) {
    guard let library = app.library else { return }
    try await library.maps().load()
    try await library.jobs().load()
    try await library.storage().measure()
  }

  /// Shows in the open map what synchronizations have received and sent.
  private func showSynchronized() async {
    var shown: Set<String> = []
    let ended = Observations {
      (self.app.library?.jobList?.jobs ?? []).filter { $0.isSynchronization && $0.state.isFinal }
    }
    for await jobs in ended {
      // One that is requested again ends again, at another time.
      let keys = jobs.map { "\($0.id.text) \($0.updated.timeIntervalSince1970)" }
      let new = zip(jobs, keys).filter { !shown.contains($0.1) }.map { $0.0.subject }
      shown = Set(keys)
      if let id = app.storedID, new.contains(id) { await app.storedMapHasChanged(id) }
    }
  }

  /// Draws the open map again, whenever there is a network again, if something of it was missing.
  private func drawWhenOnline() async {
    for await isOnline in Observations({ self.account.network.isOnline }) where isOnline {
      app.map?.drawMissingAgain()
      await app.map?.loadMissingAgain()
    }
  }

  private func ping() async {
    while !Task.isCancelled {
      do { try await clock.sleep(for: Self.pingInterval) } catch { return }
      events.ping()
    }
  }

  private static func greeting(_ demo: (any TourStage)?, version: String) -> JSONValue {
    [
      "version": .string(version),
      "demo": demo.map { demo in
        [
          "portal": .string(demo.portal.absoluteString), "canCutNetwork": true,
          "accounts": .array(
            demo.accounts.map {
              [
                "username": .string($0.username), "password": .string($0.password),
                "purpose": .string($0.purpose),
              ]
            }),
        ]
      } ?? .null,
    ]
  }
}
