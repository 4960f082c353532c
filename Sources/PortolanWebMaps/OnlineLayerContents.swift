public import PortolanMap
public import PortolanPackages
public import PortolanPortal

/// The layers of an online map: whether each is loaded, and what is behind it.
///
/// A layer that fails leaves the others alone, and can be left out or asked for again, also with
/// other credentials.
public actor OnlineLayerContents: LayerContentSource {
  private struct Entry {
    var status: LayerLoadStatus
    var content: LayerContent
    /// Counts the attempts, so that the end of one that was cancelled changes nothing.
    var attempt: Int
  }

  private let portal: Portal
  private let bingKeys: any BingKeySource
  private let keeper: (any TileKeeping)?
  private let tables: ServiceTables
  private let items: ItemDocuments
  private var entries: [Layer: Entry] = [:]

  /// Creates the layers of a map; none is requested yet.
  ///
  /// - Parameters:
  ///   - portal: The portal of the map, with the credentials to use.
  ///   - bingKeys: Who is asked for the key of Bing Maps, if the portal has none.
  ///   - keeper: What keeps the tiles of its services; nothing if `nil`.
  public init(
    portal: Portal, bingKeys: any BingKeySource, keeper: (any TileKeeping)? = nil
  ) {
    self.portal = portal
    self.keeper = keeper
    self.bingKeys = bingKeys
    tables = ServiceTables(portal.client)
    items = ItemDocuments(portal)
  }

  /// Whether a layer is loaded.
  public func status(of layer: Layer) -> LayerLoadStatus { entries[layer]?.status ?? .notLoaded }

  /// Asks for a layer, again if it was requested before.
  ///
  /// - Parameters:
  ///   - layer: The layer.
  ///   - client: What asks its server, if not whatever has the portal's credentials.
  /// - Returns: How that ended; ``LayerLoadStatus/skipped`` if it was left out meanwhile.
  @discardableResult
  public func load(_ layer: Layer, with client: RESTClient? = nil) async -> LayerLoadStatus {
    let attempt = (entries[layer]?.attempt ?? 0) + 1
    entries[layer] = Entry(
      status: .loading, content: .unavailable(reason: "The layer is being loaded."),
      attempt: attempt)
    let resolver = LayerResolver(
      portal: portal, client: client ?? portal.client,
      tables: client.map(ServiceTables.init) ?? tables, items: items, bingKeys: bingKeys,
      keeper: keeper)
    let entry: Entry
    do {
      let content = try await resolver.content(of: layer)
      entry = Entry(status: .loaded, content: content, attempt: attempt)
    } catch {
      entry = Entry(status: .failed(error), content: error.content, attempt: attempt)
    }
    guard entries[layer]?.attempt == attempt else { return status(of: layer) }
    entries[layer] = entry
    return entry.status
  }

  /// Leaves a layer out.
  public func skip(_ layer: Layer) {
    entries[layer] = Entry(
      status: .skipped, content: .unavailable(reason: "You chose to do without this layer."),
      attempt: (entries[layer]?.attempt ?? 0) + 1)
  }

  public func content(of layer: Layer) async -> LayerContent {
    switch status(of: layer) {
    // A cancelled caller asks for nothing more; the next one does.
    case .notLoaded, .failed(.cancelled): await load(layer)
    case .loading, .loaded, .failed, .skipped: break
    }
    return entries[layer]?.content ?? .unavailable(reason: "The layer is being loaded.")
  }
}

extension OnlineMapError {
  /// The content of a layer that failed with this error.
  fileprivate var content: LayerContent {
    if case .unsupportedLayer = self { return .notSupported(reason: sentences) }
    return .unavailable(reason: sentences)
  }

  /// The description and the advice, in one text.
  fileprivate var sentences: String {
    [errorDescription, recoverySuggestion].compactMap(\.self).joined(separator: " ")
  }
}
