internal import Foundation
internal import PortolanGeometry
internal import PortolanHTTPServer
internal import PortolanTileCache
internal import PortolanTiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Kills processes while they download, update and delete regions of tiles, and looks at what they
/// leave: no tile is fetched that was there, none is missing, and every figure is exact.
public struct RegionCrashRun: Sendable {
  /// The longest that a child takes on a machine that is busy with other things.
  private static let patience = Duration.seconds(120)
  /// How often children are killed at most until one comes to its end.
  private static let mostKills = 8

  /// How many tiles may be lost with a child: those that are under way, those that have arrived until no
  /// other is begun, and as many that are being written.
  private static var mostLost: Int {
    let options = RegionDownloader<ContinuousClock>.Options()
    return 2 * (options.maxConcurrentDownloads + options.batchSize)
  }

  private let settings: CrashSettings
  private let tell: @Sendable (Int) -> Void
  private let tiles = CrashTileServer()
  private var numbers: SplitMix64
  private var report = RegionCrashReport()
  private var times: [RegionChild.Act: Duration] = [:]

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - settings: What is to be done.
  ///   - tell: Called after each kill with how many there have been.
  public init(_ settings: CrashSettings, tell: @escaping @Sendable (Int) -> Void) {
    self.settings = settings
    self.tell = tell
    numbers = SplitMix64(seed: settings.seed)
    report.seed = settings.seed
  }

  private var file: URL { settings.folder.appending(path: "tiles/MapCache.sqlite") }

  /// Kills as often as wanted, or until something must not be so.
  ///
  /// - Throws: An error if the server or a child cannot be started.
  public mutating func run() async throws -> RegionCrashReport {
    let start = ContinuousClock.now
    let server = try HTTPServer(HTTPServer.Configuration(), handler: tiles)
    let template = "http://127.0.0.1:\(server.port)/{z}/{x}/{y}.png"
    do {
      while report.kills < settings.kills, report.isSound { try await live(template) }
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  /// All that happens to two regions that share tiles.
  private mutating func live(_ template: String) async throws {
    let life: [(RegionChild.Act, CrashRegion)] = [
      (.download, .first), (.update, .first), (.download, .second), (.delete, .first),
      (.update, .second), (.delete, .second),
    ]
    for (act, region) in life where report.isSound {
      try await perform(RegionChild(act, file: file, template: template, region: region))
    }
  }

  /// Has children do something until one comes to its end.
  private mutating func perform(_ child: RegionChild) async throws {
    var wanted = Int.random(in: 1...Self.mostKills, using: &numbers)
    var lost: Set<TileID> = []
    while report.isSound {
      let isKilled = wanted > 0 && report.kills < settings.kills
      wanted -= 1
      let before = try await inspected(child)
      let end = try await run(child, isKilled: isKilled)
      let requests = tiles.takeRequests(of: end.process)
      judge(requests, before, child)
      if child.act == .download { report.repeated += requests.count { lost.contains($0) } }
      guard end.signal == 0 else {
        lost.formUnion(judgeLoss(Set(requests), try await inspected(child), child))
        continue
      }
      if end.status != 0 { note("the child failed: \(end.notes)", child) }
      break
    }
    guard report.isSound else { return }
    report.acts += 1
    try await expectEnd(of: child)
  }

  /// A tile that was here when the child began must not be fetched; an update asks for all.
  private mutating func judge(
    _ requests: [TileID], _ before: Set<TileID>, _ child: RegionChild
  ) {
    report.requests += requests.count
    let counts = Dictionary(requests.map { ($0, 1) }, uniquingKeysWith: +)
    let twice = counts.filter { $0.value > 1 }.keys.sorted()
    if let tile = twice.first { note("\(tile) was asked for twice by one child", child) }
    guard child.act == .download else { return }
    if let tile = requests.first(where: { before.contains($0) }) {
      note("\(tile) was fetched although it was here", child)
    }
  }

  /// What a child that was killed asked for and did not keep must be what was under way, or was
  /// collected for a batch, or was being written.
  ///
  /// - Returns: What was lost; an update loses nothing that is not there all the same.
  private mutating func judgeLoss(
    _ requests: Set<TileID>, _ here: Set<TileID>, _ child: RegionChild
  ) -> Set<TileID> {
    guard child.act == .download else { return [] }
    let lost = requests.subtracting(here)
    report.mostLost = max(report.mostLost, lost.count)
    if lost.count > Self.mostLost {
      note("\(lost.count) tiles were lost, where \(Self.mostLost) may be", child)
    }
    return lost
  }

  // MARK: - Children

  private struct Ending: Sendable {
    var process: pid_t
    var status: Int32
    var signal: Int32
    var notes: String
    var time: Duration
  }

  private mutating func run(_ child: RegionChild, isKilled: Bool) async throws -> Ending {
    let moment = isKilled ? chooseMoment(for: child) : nil
    let (program, tiles) = (settings.program, tiles)
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { try Self.runHere(program, child, tiles, killedAt: moment) })
      }
    }
    let ending = try result.get()
    if ending.signal == SIGKILL {
      report.kills += 1
      report.killsByAct[child.act.rawValue, default: 0] += 1
      tell(report.kills)
    } else {
      times[child.act] = ending.time
    }
    return ending
  }

  /// When a child is killed.
  private enum Moment: Sendable {
    /// So long after its start.
    case time(Duration)
    /// When it has been sent so many tiles.
    case tiles(Int)
  }

  private mutating func chooseMoment(for child: RegionChild) -> Moment {
    let isByTiles = child.act != .delete && Int.random(in: 0...3, using: &numbers) > 0
    if isByTiles { return .tiles(Int.random(in: 1...child.region.plan.count, using: &numbers)) }
    let time = times[child.act] ?? .milliseconds(150)
    return .time(time * Double.random(in: 0...1, using: &numbers))
  }

  private static func runHere(
    _ program: URL, _ child: RegionChild, _ tiles: CrashTileServer, killedAt moment: Moment?
  ) throws -> Ending {
    let start = ContinuousClock.now
    let process = try SpawnedProcess(
      program, child.arguments, environment: ProcessInfo.processInfo.environment)
    let running = Mutex<pid_t?>(process.id)
    let kill: @Sendable () -> Void = {
      running.withLock { id in if let id { _ = Self.end(id) } }
    }
    switch moment {
    case .time(let time): after(time, kill)
    case .tiles(let count): tiles.after(count, kill)
    case nil: break
    }
    after(patience, kill)
    while !process.output.availableData.isEmpty {}
    let notes = process.notes.text()
    let end = process.wait { running.withLock { $0 = nil } }
    tiles.forgetTrigger()
    return Ending(
      process: process.id, status: end.status, signal: end.signal, notes: notes,
      time: ContinuousClock.now - start)
  }

  private static func end(_ id: pid_t) -> Int32 { kill(id, SIGKILL) }

  private static func after(_ delay: Duration, _ action: @escaping @Sendable () -> Void) {
    let nanoseconds = Int(delay / .nanoseconds(1))
    DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { action() }
  }

  // MARK: - Looking

  /// Looks whether every figure is exact.
  ///
  /// - Returns: The tiles that are here.
  private mutating func inspected(_ child: RegionChild) async throws -> Set<TileID> {
    let inspection = try await RegionInspection(file: file).look()
    for fault in inspection.faults { note(fault, child) }
    return inspection.tiles
  }

  /// Looks whether what was to be done is done.
  private mutating func expectEnd(of child: RegionChild) async throws {
    let inspection = try await RegionInspection(file: file).look()
    for fault in inspection.faults { note(fault, child) }
    let region = inspection.regions[child.region]
    switch child.act {
    case .delete: if region != nil { note("the region is still there", child) }
    case .download, .update:
      let count = child.region.plan.count
      if region?.progress.stored != count || region?.state != .finished {
        note("it has \(region?.progress.stored ?? 0) of \(count) tiles", child)
      }
    }
  }

  private mutating func note(_ fault: String, _ child: RegionChild) {
    report.faults.append(
      "seed \(settings.seed), kill \(report.kills), \(child.act.rawValue) of the "
        + "\(child.region.rawValue): \(fault)")
  }
}
