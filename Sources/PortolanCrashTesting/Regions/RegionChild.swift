internal import Foundation
internal import PortolanCurl
internal import PortolanTileCache

/// The process that is killed while it works on regions of tiles.
public struct RegionChild: Sendable {
  /// What it does.
  enum Act: String, Sendable, CaseIterable, Codable {
    /// Download what is missing.
    case download
    /// Ask for all whether it has changed.
    case update
    /// Delete the region.
    case delete
  }

  /// The first word of its command line, which distinguishes it from its parent.
  static let word = "region-child"

  let act: Act
  let file: URL
  let template: String
  let region: CrashRegion

  init(_ act: Act, file: URL, template: String, region: CrashRegion) {
    self.act = act
    self.file = file
    self.template = template
    self.region = region
  }

  /// Creates a child; `nil` if the command line is not one for it.
  public init?(_ arguments: [String]) {
    guard arguments.count == 5, arguments[0] == Self.word, let act = Act(rawValue: arguments[1]),
      let region = CrashRegion(rawValue: arguments[4])
    else { return nil }
    self.init(act, file: URL(filePath: arguments[2]), template: arguments[3], region: region)
  }

  /// Its command line.
  var arguments: [String] {
    [Self.word, act.rawValue, file.path(percentEncoded: false), template, region.rawValue]
  }

  /// Does what the command line says; what is done already is left alone.
  public func run() async throws {
    let store = try TileCacheStore(at: file)
    let known = try await store.regions().first { $0.name == region.rawValue }
    switch act {
    case .delete: if known != nil { _ = try await store.deleteRegion(named: region.rawValue) }
    case .download: try await download(known, .missing, in: store)
    case .update: try await download(known, .update, in: store)
    }
  }

  private func download(
    _ known: CachedRegion?, _ pass: RegionPass, in store: TileCacheStore
  ) async throws {
    let cache = MapCache(
      withConfig: try Self.config(template), store: store,
      transport: CurlTransport(
        CurlConfiguration(userAgent: Self.agent(of: ProcessInfo.processInfo.processIdentifier))),
      now: { Date() })
    let work: CachedRegion
    if let known {
      work = known
    } else {
      work = try await store.createRegion(
        named: region.rawValue, of: cache.config, region.plan, now: Date())
    }
    // An update that was broken off begins again where it was; a region that is not whole does not
    // come about by one.
    try await RegionDownloader(cache, work, clock: ContinuousClock()).run(pass)
  }

  /// What a process calls itself in its requests.
  static func agent(of process: pid_t) -> String { "Portolan/crash-test-\(process)" }

  /// The source that all children use.
  static func config(_ template: String) throws -> MapCacheConfig {
    var config = try MapCacheConfig(withUrlTemplate: template, cacheName: "tiles")
    config.policy.allowsBulk = true
    return config
  }
}

/// The regions that are worked on: two that share some of their tiles.
enum CrashRegion: String, Sendable, CaseIterable {
  case first
  case second

  /// Which tiles it takes.
  var plan: RegionPlan {
    let ground =
      switch self {
      case .first: TileRegion.box(west: 10, south: 10, east: 16, north: 16)
      case .second: TileRegion.box(west: 14, south: 12, east: 19, north: 18)
      }
    return RegionPlan(ground, levels: 8...11)
  }
}
