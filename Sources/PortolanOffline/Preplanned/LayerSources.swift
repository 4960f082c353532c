internal import Foundation
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPortal

/// The services that the layers of a web map show, also of layers that name only an item or a style.
///
/// The basemaps of ArcGIS Online are such layers: `styleUrl` and `itemId`, and no `url`.
///
/// - SeeAlso: Docs/REST.md, 6
struct LayerSources: Hashable, Sendable {
  /// What such a layer names.
  fileprivate struct Reference: Hashable {
    let itemID: String?
    let styleURL: String?
    let isVectorTile: Bool
  }

  private var addresses: [Reference: [String]] = [:]
  /// Knows the hosts that export the tiles of others.
  private var packaging: PortalHelperServices.Packaging?

  /// Knows the layers that name their service themselves.
  private init() {}

  /// Asks a portal for the services of the layers that name none.
  ///
  /// An item or a style that cannot be read leaves its layers without a service.
  ///
  /// - Parameters:
  ///   - map: The web map.
  ///   - packages: The packages that layers are to be matched to.
  ///   - items: The items that need not be requested.
  ///   - portal: The portal of the map.
  /// - Returns: What is known of the layers.
  /// - Throws: ``PortalError`` where another attempt may succeed.
  static func load(
    for map: WebMap, matching packages: [AreaPackage], leavingOut items: Set<String> = [],
    from portal: Portal
  ) async throws(PortalError) -> LayerSources {
    var layers: [Layer] = []
    var map = map
    map.updateLayers { layers.append($0) }
    var sources = LayerSources()
    for reference in layers.compactMap({ Reference($0) })
    where sources.addresses[reference] == nil && !items.contains(reference.itemID ?? "") {
      sources.addresses[reference] = try await reference.addresses(from: portal)
    }
    // Tiles of ArcGIS Online are exported by other hosts than those that serve them.
    if layers.contains(where: { $0.isTiled && !sources.isFound($0, in: packages) }) {
      sources.packaging = try await answer { () async throws(PortalError) in
        try await portal.info().helperServices.packaging
      }
    }
    return sources
  }

  /// The services that a layer may show; `nil` if its data are in no service.
  func addresses(of layer: Layer) -> [String]? {
    let known = layer.url.map { [$0] } ?? Reference(layer).map({ addresses[$0] ?? [] })
    guard let known, let packaging else { return known }
    let exporting = known.compactMap { address in
      URL(string: address).map { packaging.exportURL(for: $0).absoluteString }
    }
    return known + exporting.filter { !known.contains($0) }
  }

  private func isFound(_ layer: Layer, in packages: [AreaPackage]) -> Bool {
    (addresses(of: layer) ?? []).contains { address in
      packages.contains { $0.holds(address) }
    }
  }

  /// An answer, or `nil` where the server has none, now and later.
  static func answer<Value>(
    _ ask: () async throws(PortalError) -> Value?
  ) async throws(PortalError) -> Value? {
    do throws(PortalError) { return try await ask() } catch {
      switch error {
      case .cancelled, .transport, .rateLimited: throw error
      default:
        guard !error.isTransient else { throw error }
        return nil
      }
    }
  }
}

extension Layer {
  /// Whether the layer shows tiles, which are exported as packages of tiles.
  fileprivate var isTiled: Bool {
    switch kind {
    case .tiledMapService, .tiledImageService, .vectorTile: path == nil
    default: false
    }
  }
}

extension LayerSources.Reference {
  /// What a layer names in place of a service; `nil` if it names one or needs none.
  fileprivate init?(_ layer: Layer) {
    guard layer.url == nil, layer.path == nil else { return nil }
    switch layer.kind {
    case .vectorTile(let style):
      self.init(itemID: layer.itemID, styleURL: style.styleURL, isVectorTile: true)
    case .feature(.item(let id)): self.init(itemID: id, styleURL: nil, isVectorTile: false)
    case .tiledMapService, .mapService, .imageService, .tiledImageService:
      self.init(itemID: layer.itemID, styleURL: nil, isVectorTile: false)
    default: return nil
    }
  }

  fileprivate func addresses(from portal: Portal) async throws(PortalError) -> [String] {
    let id = itemID.flatMap { text in
      // An id that cannot be one leads to no service.
      try? PortalItem.ID(text)
    }
    var found: [String] = []
    if let id,
      let address = try await LayerSources.answer({ () async throws(PortalError) in
        try await portal.item(id).url?.absoluteString
      })
    {
      found.append(address)
    }
    guard isVectorTile else { return found }
    let style = styleURL.flatMap { URL(string: $0) } ?? id.map { Self.style(of: $0, portal) }
    guard let style else { return found }
    let json = try await LayerSources.answer { () async throws(PortalError) in
      Optional(try await portal.client.json(style))
    }
    return found + (json.map { Self.sources(of: $0, at: style) } ?? [])
  }

  /// Where the style of an item is, if nothing else is said.
  private static func style(of id: PortalItem.ID, _ portal: Portal) -> URL {
    portal.restURL.appending(path: "content/items/\(id)/resources/styles/root.json")
  }

  /// The services that a style draws; some addresses are relative to that of the style.
  private static func sources(of style: JSONValue, at address: URL) -> [String] {
    (style["sources"]?.object?.members ?? []).compactMap { member in
      member.value["url"]?.string.flatMap {
        URL(string: $0, relativeTo: address)?.absoluteURL.absoluteString
      }
    }
  }
}
