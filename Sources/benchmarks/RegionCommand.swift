import Foundation
import PortolanCurl
import PortolanTileCache
import PortolanTransport

/// Downloads a region of tiles, as a process that `RegionBenchmark` measures.
struct RegionCommand {
  private let template: String
  private let file: URL
  private let level: Int
  private let inFlight: Int?
  private let export: URL?

  /// Reads `--region=TEMPLATE --to=FILE --level=N [--in-flight=N] [--export=FILE]`; `nil` without them.
  ///
  /// Without a number in flight it adapts to the server, as in the app.
  init?(arguments: [String]) {
    guard let template = arguments.value(of: "--region="), let path = arguments.value(of: "--to="),
      let level = arguments.value(of: "--level=").flatMap({ Int($0) })
    else { return nil }
    self.template = template
    file = URL(filePath: path)
    self.level = level
    inFlight = arguments.value(of: "--in-flight=").flatMap { Int($0) }
    export = arguments.value(of: "--export=").map { URL(filePath: $0) }
  }

  /// Downloads the world on all levels from 0, and exports it if that is requested.
  func run() async throws {
    let store = try TileCacheStore(at: file)
    var config = try MapCacheConfig(withUrlTemplate: template, cacheName: "bench")
    config.policy.allowsBulk = true
    let throttle =
      inFlight.map { ThrottlePolicy(initialConcurrency: $0, maximumConcurrency: $0) }
      ?? ThrottlePolicy()
    let transport = LiveTransport(
      LiveTransport.Configuration(
        curl: CurlConfiguration(
          userAgent: "Portolan/benchmark", environment: ProcessInfo.processInfo.environment),
        throttle: throttle),
      monitor: FixedNetworkMonitor(.online(isMetered: nil)), now: { Date() },
      chance: { Double.random(in: 0..<1) })
    let cache = MapCache(
      withConfig: config, store: store, transport: transport, now: { Date() })
    let region = try await store.createRegion(
      named: "world", of: config, RegionPlan(.world, levels: 0...level), now: Date())
    var options = RegionDownloader<ContinuousClock>.Options()
    if let inFlight { options.maxConcurrentDownloads = inFlight }
    let finished = try await RegionDownloader(
      cache, region, options: options, clock: ContinuousClock()
    ).run()
    guard finished.progress.isComplete else { throw BenchmarkError("\(finished.progress)") }
    if let export { _ = try await store.exportRegion(named: "world", to: export) }
    await transport.close()
  }
}
