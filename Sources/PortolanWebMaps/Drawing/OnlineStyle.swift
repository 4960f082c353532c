internal import Foundation
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTiles

/// Finds the style of a layer of vector tiles and the services that have its tiles.
struct OnlineStyle {
  /// The sources of a style that are asked what they are.
  private static let maximumSources = 16

  let client: RESTClient
  let portal: Portal

  /// The tiles of a layer with the style that the map names: by its address, else that of its item,
  /// else the one that its service has.
  ///
  /// - Parameters:
  ///   - styleURL: The address of a style, as the map says it.
  ///   - item: The item that the layer was made from.
  ///   - service: The service, if the map or the item names one.
  /// - Returns: The tiles.
  /// - Throws: ``PortalError`` if the style or all its sources cannot be loaded.
  func tiles(
    styleURL: String?, item: PortalItem?, service: URL?
  ) async throws(PortalError) -> StyledVectorTiles {
    if let styleURL, let url = Self.address(styleURL) {
      return try await tiles(of: try await ServiceStyle.load(url, client: client))
    }
    if let item, let style = try await ownStyle(of: item) { return try await tiles(of: style) }
    guard let service else {
      throw .unexpected(styleURL ?? "the layer", reason: "there is no style and no service")
    }
    let tiles = VectorTileService(url: service, client: client)
    let info = try await tiles.info()
    let style = try await tiles.defaultStyle(info)
    guard let source = ServiceTileSource(tiles, info: info) else {
      throw .unexpected(service.lastServiceName, reason: "it has no vector tiles")
    }
    let kept = SessionTileSource(source)
    let names = style.vectorSourceNames
    // The sources of such a style are the service, however their addresses are written.
    guard names.count > 1 || !style.rasterSourceNames.isEmpty else {
      return styled(style, names.isEmpty ? [:] : [names[0]: kept], [])
    }
    return try await self.tiles(of: style)
  }

  /// The address of a style, on the web and without a token that was left in it.
  private static func address(_ text: String) -> URL? {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    let whole = trimmed.hasPrefix("//") ? "https:" + trimmed : trimmed
    guard var parts = URLComponents(string: whole),
      ["http", "https"].contains(parts.scheme?.lowercased()), parts.host?.isEmpty == false
    else { return nil }
    let kept = parts.queryItems?.filter { $0.name.lowercased() != "token" }
    parts.queryItems = kept?.isEmpty == false ? kept : nil
    return parts.url
  }

  /// The style that an item has of its own; `nil` if it has none.
  private func ownStyle(of item: PortalItem) async throws(PortalError) -> ServiceStyle? {
    let url = portal.restURL.appending(
      path: "content/items/\(item.id)/resources/styles/root.json")
    do throws(PortalError) {
      return try await ServiceStyle.load(url, client: portal.client)
    } catch {
      switch error {
      // Servers answer in all these ways where there is no such file.
      case .notFound, .server, .notJSON, .unexpected: return nil
      default: throw error
      }
    }
  }

  /// The tiles of the sources of a style.
  private func tiles(of style: ServiceStyle) async throws(PortalError) -> StyledVectorTiles {
    var sources: [String: any TileSource] = [:]
    var problems: [String] = []
    var failure: PortalError?
    for name in (style.vectorSourceNames + style.rasterSourceNames).prefix(Self.maximumSources) {
      do throws(PortalError) {
        sources[name] = SessionTileSource(try await source(name, of: style))
      } catch {
        if case .cancelled = error { throw error }
        failure = error
        problems.append(
          "the source \"\(name.prefix(60))\" of its style is missing: \(error.clause)")
      }
    }
    if sources.isEmpty, let failure { throw failure }
    return styled(style, sources, problems)
  }

  /// The tiles of a source: as its service describes them, else by the templates in the style.
  private func source(
    _ name: String, of style: ServiceStyle
  ) async throws(PortalError) -> any TileSource {
    let isVector = !style.isRaster(name)
    let inline = TemplateTileSource(
      tileJSON: style.absoluteTiles(style.json["sources"]?[name]?.object ?? [:]), name: name,
      isVector: isVector, client: client)
    guard let url = style.sourceURLs[name] else {
      if let inline { return inline }
      throw .unexpected(style.url.lastServiceName, reason: "the source has no address")
    }
    do throws(PortalError) {
      return try await described(url, name, style)
    } catch {
      // Only the service knows where its tiles end, but tiles by template are better than none.
      guard let inline, error != .cancelled else { throw error }
      return inline
    }
  }

  /// The tiles of an ArcGIS service, or of a TileJSON document.
  private func described(
    _ url: URL, _ name: String, _ style: ServiceStyle
  ) async throws(PortalError) -> any TileSource {
    let json = try await client.json(url)
    if style.isRaster(name) {
      var document = json.object ?? [:]
      document["tileSize"] = style.json["sources"]?[name]?["tileSize"]
      let source = TemplateTileSource(
        tileJSON: document, name: name, isVector: false, client: client)
      guard let source else {
        throw .unexpected(url.lastServiceName, reason: "it has no tiles")
      }
      return source
    }
    let service = VectorTileService(url: url, client: client)
    if let info = MapServiceInfo(json: json), let source = ServiceTileSource(service, info: info) {
      return source
    }
    if let document = json.object,
      let source = TemplateTileSource(
        tileJSON: document, name: name, isVector: true, client: client)
    {
      return source
    }
    throw .unexpected(url.lastServiceName, reason: "it has no vector tiles")
  }

  private func styled(
    _ style: ServiceStyle, _ sources: [String: any TileSource], _ problems: [String]
  ) -> StyledVectorTiles {
    StyledVectorTiles(
      sources: sources, style: style.json,
      resources: OnlineStyleResources(style: style, client: client), problems: problems)
  }
}

/// The icons, glyphs and files of a style online, each asked for once while the map is open.
private struct OnlineStyleResources: StyleResources {
  private let style: ServiceStyle
  private let client: RESTClient
  private let sprites = SessionCache<Bool, [StyleSprite], TileError>(limit: 4) { _ in 1 }
  private let glyphs = SessionCache<String, Data?, TileError>(limit: 32 << 20) {
    ($0?.count ?? 0) + 64
  }
  private let files = SessionCache<String, Data, TileError>(limit: 64 << 20) { $0.count + 64 }

  init(style: ServiceStyle, client: RESTClient) {
    self.style = style
    self.client = client
  }

  func sprites(isDouble: Bool) async throws(TileError) -> [StyleSprite] {
    let (style, client) = (style, client)
    return try await sprites.value(for: isDouble, orIfCancelled: .cancelled) {
      do throws(PortalError) {
        return .success(try await style.sprites(isDouble: isDouble, client: client))
      } catch {
        return .failure(Self.failure(error, "its icons"))
      }
    }
  }

  func glyphs(
    fontStack: String, range: ClosedRange<Int>
  ) async throws(TileError) -> Data? {
    let (style, client, first) = (style, client, range.lowerBound)
    return try await glyphs.value(for: "\(first) \(fontStack)", orIfCancelled: .cancelled) {
      do throws(PortalError) {
        return .success(try await style.glyphs(of: fontStack, from: first, client: client))
      } catch {
        if case .notFound = error { return .success(nil) }
        return .failure(Self.failure(error, "its font \"\(fontStack.prefix(80))\""))
      }
    }
  }

  func file(at address: String) async throws(TileError) -> Data {
    let (style, client) = (style, client)
    return try await files.value(for: address, orIfCancelled: .cancelled) {
      do throws(PortalError) {
        return .success(try await style.file(at: address, client: client))
      } catch {
        return .failure(Self.failure(error, String(address.prefix(100))))
      }
    }
  }

  private static func failure(_ error: PortalError, _ what: String) -> TileError {
    if case .cancelled = error { return .cancelled }
    return .unreadable(file: what, reason: error.clause)
  }
}

extension ServiceStyle {
  /// The names of the sources with vector tiles, in the order of the style.
  fileprivate var vectorSourceNames: [String] { sourceNames(ofKinds: ["vector"]) }

  /// The names of the sources with tiles that are pictures.
  fileprivate var rasterSourceNames: [String] { sourceNames(ofKinds: Self.rasterKinds) }

  /// The kinds of sources whose tiles are pictures: of a map, or of heights in colours.
  private static let rasterKinds = ["raster", "raster-dem"]

  private func sourceNames(ofKinds kinds: [String]) -> [String] {
    let sources = json["sources"]?.object?.members ?? []
    return sources.filter { kinds.contains($0.value["type"]?.string ?? "") }.map(\.name)
  }

  /// Whether the tiles of a source are pictures.
  fileprivate func isRaster(_ name: String) -> Bool {
    Self.rasterKinds.contains(json["sources"]?[name]?["type"]?.string ?? "")
  }

  /// A source with addresses of tiles that no longer depend on where the style came from.
  fileprivate func absoluteTiles(_ source: JSONObject) -> JSONObject {
    var source = source
    let templates = source.texts("tiles").map { template in
      // Braces are not allowed in addresses, and must survive.
      let escaped = template.replacing("{", with: "%7B").replacing("}", with: "%7D")
      let absolute = URL(string: escaped, relativeTo: url)?.absoluteString ?? template
      return absolute.replacing("%7B", with: "{").replacing("%7D", with: "}")
    }
    if !templates.isEmpty { source["tiles"] = .array(templates.map { .string($0) }) }
    return source
  }
}
