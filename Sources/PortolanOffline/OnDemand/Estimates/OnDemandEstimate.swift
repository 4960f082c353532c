internal import Foundation
internal import PortolanLibrary
internal import PortolanMap
public import PortolanPortal

/// The size of an area of a map, before anything is requested: features and tiles counted, bytes as
/// a range.
public struct OnDemandEstimate: Hashable, Sendable {
  /// A file of the offline map.
  public struct Part: Hashable, Sendable {
    /// The name for people.
    public var title: String
    /// The layers and tables in it.
    public var layers: [String]
    /// How many features, for feature services.
    public var features: Int?
    /// How many tiles, for services of tiles.
    public var tiles: Int?
    /// The most tiles that the service exports at once.
    public var tileLimit: Int?
    /// The bytes, from the least to the most that are likely; `nil` if nothing is known.
    public var bytes: ClosedRange<Int>?
    /// Whether it is a file of this device that is copied into the map.
    public var isCopied = false
    /// Why its service does not say how much it is; `nil` if it does, or no reason is known.
    public var issue: String?

    /// Why the service will not export so many tiles, in the words of the job that would ask for them;
    /// `nil` if nothing is known that would keep it.
    public var refusal: OfflineMapError? {
      ExportLimit(service: title, tiles: tiles, limit: tileLimit).refusal
    }

    /// Whether the service will not export so many tiles.
    public var exceedsLimit: Bool { refusal != nil }
  }

  /// The files.
  public var parts: [Part]
  /// The bytes that are free on the disk; `nil` if that is unknown.
  public var freeBytes: Int?

  /// The bytes of all files, as far as they are known.
  public var bytes: ClosedRange<Int> {
    let known = parts.compactMap(\.bytes)
    return known.reduce(0) { $0 + $1.lowerBound }...known.reduce(0) { $0 + $1.upperBound }
  }

  /// Whether the size of every file is known.
  public var isComplete: Bool { parts.allSatisfy { $0.bytes != nil } }

  /// Whether it fits, even if it becomes as large as is likely.
  public var fits: Bool { freeBytes.map { $0 > bytes.upperBound + bytes.upperBound / 50 } ?? true }

  /// Whether nothing is known that would keep it from being made.
  public var isPossible: Bool { fits && !parts.contains(where: \.exceedsLimit) }

  /// The estimate in the terms of all downloads; the likely sizes are no promises.
  var download: DownloadEstimate {
    DownloadEstimate(
      files: parts.map {
        DownloadEstimate.File(
          title: $0.title, byteCount: $0.bytes?.upperBound, presentBytes: 0)
      }, freeBytes: freeBytes, replacedBytes: 0)
  }
}

extension OnDemandEstimate {
  /// Asks the services.
  ///
  /// - Parameters:
  ///   - parameters: What of the map is taken, and how.
  ///   - overrides: What is asked of each service; as the parameters say unless given.
  ///   - portal: The portal of the map.
  ///   - environment: What is free on the disk.
  /// - Returns: The estimate; a service that does not answer a question leaves a gap.
  /// - Throws: ``OfflineMapError``, ``PortolanPortal/PortalError``.
  @concurrent public static func make(
    _ parameters: GenerateOfflineMapParameters,
    _ overrides: GenerateOfflineMapParameterOverrides? = nil, portal: Portal,
    environment: OfflineEnvironment
  ) async throws -> OnDemandEstimate {
    try parameters.check()
    try overrides?.check()
    let sources = try await MapSources.load(PortalItem.ID(parameters.webMap), from: portal)
    let plan = OnDemandPlan(sources, parameters, overrides)
    var parts: [Part] = []
    if let reference = try parameters.referenceBasemap() {
      try await reference.check(environment)
      var part = Part(title: reference.name, layers: [reference.layer.title])
      part.bytes = reference.byteCount.map { $0...$0 }
      part.isCopied = true
      parts.append(part)
    }
    for part in plan.parts {
      parts.append(
        try await PartEstimate(
          part: part, sources: sources, client: portal.client, environment: environment
        ).estimate())
    }
    return OnDemandEstimate(
      parts: parts + silent(plan),
      freeBytes: environment.surroundings.freeSpace(environment.library.layout.home))
  }

  /// The layers whose services do not answer now: the job asks them again, so that what they need
  /// is not known.
  private static func silent(_ plan: OnDemandPlan) -> [Part] {
    let all = plan.capabilities.layerCapabilities + plan.capabilities.tableCapabilities
    return all.compactMap { capability in
      guard !capability.supportsOffline, !capability.remainsOnline,
        case .service(let message)? = capability.issue,
        plan.sources.failures.values.contains(where: {
          $0.errorDescription == message && $0.isTransient
        })
      else { return nil }
      var part = Part(title: capability.title, layers: [capability.title])
      part.issue = message
      return part
    }
  }
}
