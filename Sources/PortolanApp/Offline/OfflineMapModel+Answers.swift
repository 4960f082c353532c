internal import PortolanOffline

extension OfflineMapModel {
  /// The layers and tables of a web map that can be taken offline.
  public struct Capabilities: Hashable, Sendable, Codable {
    /// The layers, those of the basemap first.
    public var layers: [Capability]
    /// The tables.
    public var tables: [Capability]
    /// Whether something that is to be taken offline cannot be.
    public var hasErrors: Bool
  }

  /// Whether a layer or table can be taken offline.
  public struct Capability: Hashable, Sendable, Codable, Identifiable {
    /// The id in the map; empty if the map gives none.
    public var id: String
    /// The name for people.
    public var title: String
    /// Whether it belongs to the basemap.
    public var isBasemap: Bool
    /// Whether it is taken offline.
    public var supportsOffline: Bool
    /// Whether it stays in the map and needs a network, as it was requested.
    public var remainsOnline: Bool
    /// Whether it is taken as a copy that cannot be synchronized, since its service does not sync.
    public var isCopyOnly: Bool
    /// The obstacle, or the reason why it is only a copy, as a sentence.
    public var issue: String?
  }

  /// The estimate for an area of a map: features and tiles counted, bytes as a range.
  public struct Estimate: Hashable, Sendable, Codable {
    /// A file of the offline map.
    public struct Part: Hashable, Sendable, Codable {
      /// The name for people.
      public var title: String
      /// The layers and tables in it.
      public var layers: [String]
      /// The number of features, for feature services.
      public var features: Int?
      /// The number of tiles, for tile services.
      public var tiles: Int?
      /// The most tiles that the service exports at once.
      public var tileLimit: Int?
      /// The bytes, from the least to the most that are likely; `nil` if nothing is known.
      public var bytes: ClosedRange<Int>?
      /// Whether the service will not export so many tiles.
      public var exceedsLimit: Bool
      /// The reason why it will not, and the remedy; `nil` if nothing is known that would keep it.
      public var refusal: String?
      /// Whether it is a file of this device that is copied into the map.
      public var isCopied = false
      /// The reason why its service does not give its size; `nil` if it does, or no reason is
      /// known.
      public var issue: String?
    }

    /// The files.
    public var parts: [Part]
    /// The bytes of all files, as far as they are known.
    public var bytes: ClosedRange<Int>
    /// Whether the size of every file is known.
    public var isComplete: Bool
    /// The bytes that are free on the disk; `nil` if that is unknown.
    public var freeBytes: Int?
    /// Whether it fits, even if it becomes as large as is likely.
    ///
    /// It says little unless the size of every file is known.
    public var fits: Bool
    /// Whether nothing is known that would keep it from being made.
    public var isPossible: Bool
  }
}

extension OfflineMapModel.Capabilities {
  init(_ capabilities: OfflineMapCapabilities) {
    self.init(
      layers: capabilities.layerCapabilities.map(OfflineMapModel.Capability.init),
      tables: capabilities.tableCapabilities.map(OfflineMapModel.Capability.init),
      hasErrors: capabilities.hasErrors)
  }
}

extension OfflineMapModel.Capability {
  fileprivate init(_ capability: OfflineCapability) {
    self.init(
      id: capability.id, title: capability.title, isBasemap: capability.isBasemap,
      supportsOffline: capability.supportsOffline, remainsOnline: capability.remainsOnline,
      isCopyOnly: capability.isCopyOnly, issue: capability.issue?.message)
  }
}

extension OfflineMapModel.Estimate {
  init(_ estimate: OnDemandEstimate) {
    self.init(
      parts: estimate.parts.map(Part.init), bytes: estimate.bytes,
      isComplete: estimate.isComplete, freeBytes: estimate.freeBytes, fits: estimate.fits,
      isPossible: estimate.isPossible)
  }
}

extension OfflineMapModel.Estimate.Part {
  fileprivate init(_ part: OnDemandEstimate.Part) {
    self.init(
      title: part.title, layers: part.layers, features: part.features, tiles: part.tiles,
      tileLimit: part.tileLimit, bytes: part.bytes, exceedsLimit: part.exceedsLimit,
      refusal: part.refusal.map {
        [$0.errorDescription, $0.recoverySuggestion].compactMap(\.self).joined(separator: " ")
      }, isCopied: part.isCopied, issue: part.issue)
  }
}
