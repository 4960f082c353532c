public import Foundation
public import Observation
public import PortolanJSON
internal import PortolanMap
public import PortolanPackages
public import PortolanPortal
public import PortolanWebMaps

/// The screen that loads a web map, layer by layer, before it is opened.
@MainActor
@Observable
public final class WebMapModel {
  /// A layer in the list.
  public struct Row: Hashable, Sendable, Codable, Identifiable {
    /// The layer's key in the map, the same as when it is open.
    public var id: String
    /// The layer's title.
    public var title: String
    /// The name of its type, as documents write it.
    public var type: String
    /// The titles of the groups that it is in, outermost first.
    public var groups: [String]
    /// Whether it belongs to the basemap.
    public var isBasemap: Bool
    /// Whether it can be used.
    public var status: LayerStatus

    /// The reason why it cannot be used, and the remedy; `nil` if it can or that is not known yet.
    public var problem: Problem? {
      status.problem
    }
  }

  /// The contents of a map that was loaded.
  public struct Contents: Hashable, Sendable, Codable {
    /// The title for people.
    public var title: String
    /// The item that it came from, if it came from a portal.
    public var itemID: String?
    /// The version of the document.
    public var version: String
    /// The number of bookmarks.
    public var bookmarkCount: Int
    /// The layers, top first, then the tables.
    public var layers: [Row]
    /// The date since which the shown map may have changed: something could not be requested, and
    /// was taken as it was kept; `nil` if all of it is current.
    public var keptSince: Date?
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case empty
    case loading
    case loaded(Contents)
    case failed(Problem)

    /// The contents of the map, once it is loaded.
    public var contents: Contents? {
      if case .loaded(let contents) = self { contents } else { nil }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.empty

  /// The document of the map as it came, whatever it holds.
  public var document: JSONObject? { map?.webMap.json }

  @ObservationIgnored private let portal: Portal
  @ObservationIgnored private let bingKeys: any BingKeySource
  @ObservationIgnored private let keeper: (any TileKeeping)?
  @ObservationIgnored private let documents: DocumentUse?
  @ObservationIgnored private var map: OnlineMap?
  @ObservationIgnored private var contents: OnlineLayerContents?
  /// The screen that shows the map, which follows what becomes of its layers.
  @ObservationIgnored private weak var opened: MapModel?

  /// The time zone of dates in maps that name none.
  @ObservationIgnored private let timeZone: TimeZone
  /// The locale of dates and numbers; that of documents if `nil`.
  @ObservationIgnored private let locale: Locale?
  /// Draws the map.
  @ObservationIgnored private let drawing: any MapDrawing
  /// Counts maps, so that the answer about an older one changes nothing.
  @ObservationIgnored private var mapNumber = 0

  /// Creates the screen without a map.
  public init(
    portal: Portal, bingKeys: any BingKeySource = FixedBingKey(nil),
    timeZone: TimeZone = .current, locale: Locale? = nil,
    drawing: any MapDrawing = NoDrawing(), keeper: (any TileKeeping)? = nil,
    documents: (any DocumentCache)? = nil
  ) {
    self.drawing = drawing
    let use = documents.map(DocumentUse.init)
    self.documents = use
    self.portal = use.map(portal.keeping) ?? portal
    self.keeper = keeper
    self.timeZone = timeZone
    self.locale = locale
    self.bingKeys = bingKeys
  }

  // MARK: - Loading

  /// Loads the map of an item, then its layers, all at a time.
  public func load(_ id: String) async {
    await load { [portal] () async throws(OnlineMapError) in
      do { return try await OnlineMap.load(PortalItem.ID(id), from: portal) } catch {
        throw error as? OnlineMapError ?? (error as? PortalError).map { .portal($0) } ?? .cancelled
      }
    }
  }

  /// Loads the map of a file with its document, then its layers.
  public func load(_ file: URL) async {
    await load { () async throws(OnlineMapError) in try await OnlineMap.load(file) }
  }

  private func load(
    _ source: () async throws(OnlineMapError) -> OnlineMap
  ) async {
    mapNumber += 1
    let number = mapNumber
    state = .loading
    map = nil
    contents = nil
    opened = nil
    documents?.forget()
    do {
      let map = try await source()
      guard number == mapNumber else { return }
      self.map = map
      contents = OnlineLayerContents(portal: portal, bingKeys: bingKeys, keeper: keeper)
      state = .loaded(Contents(map))
    } catch {
      guard number == mapNumber else { return }
      state = .failed(Problem(error))
      return
    }
    await loadLayers()
  }

  private func loadLayers() async {
    await withTaskGroup { group in
      for (key, layer) in layers { group.addTask { await self.load(layer, key: key, with: nil) } }
    }
    noteAge()
  }

  /// Shows since when something is taken as it was kept.
  private func noteAge() {
    guard case .loaded(var contents) = state, contents.keptSince != documents?.keptSince else {
      return
    }
    contents.keptSince = documents?.keptSince
    state = .loaded(contents)
    opened?.noteAge(contents.keptSince)
  }

  // MARK: - One layer

  /// Asks for a layer again.
  ///
  /// - Parameters:
  ///   - key: The layer's key.
  ///   - client: What asks its server, if with other credentials than the portal's.
  /// - Throws: A problem if there is no such layer or it is loaded already.
  public func retry(_ key: String, with client: RESTClient? = nil) async throws(Problem) {
    let layer = try layer(key)
    guard row(key)?.status.canRetry ?? false else {
      throw Problem(message: "\"\(layer.title)\" is loaded.")
    }
    await load(layer, key: key, with: client)
    await opened?.reload(key)
  }

  /// Does without a layer.
  ///
  /// - Throws: A problem if there is no such layer or it is loaded already.
  public func skip(_ key: String) async throws(Problem) {
    let layer = try layer(key)
    guard row(key)?.status.canSkip ?? false else {
      throw Problem(
        message: "\"\(layer.title)\" is loaded.", suggestion: "Switch it off instead.")
    }
    await contents?.skip(layer)
    set(.skipped, of: key)
    await opened?.reload(key)
  }

  /// The server that has the data of a layer, if the map names one.
  public func server(of key: String) -> URL? {
    layers.first { $0.key == key }?.layer.url.flatMap { URL(string: $0) }
  }

  /// The root of the server that wants a sign-in before it gives a layer; `nil` of layers that lack none.
  public func signInServer(of key: String) -> URL? {
    guard row(key)?.problem?.code == .signInNeeded else { return nil }
    return server(of: key).flatMap(PortalURL.init(serverOf:))?.root
  }

  /// Whether a map that is open is the one that was loaded here.
  func isShown(by map: MapModel) -> Bool { opened === map }

  private func load(_ layer: Layer, key: String, with client: RESTClient?) async {
    set(.loading, of: key)
    guard let contents else { return }
    let status = await contents.load(layer, with: client)
    // Another map may have been loaded meanwhile.
    if contents === self.contents { set(LayerStatus(status), of: key) }
  }

  private func set(_ status: LayerStatus, of key: String) {
    guard case .loaded(var contents) = state,
      let index = contents.layers.firstIndex(where: { $0.id == key })
    else { return }
    contents.layers[index].status = status
    state = .loaded(contents)
  }

  private func row(_ key: String) -> Row? { state.contents?.layers.first { $0.id == key } }

  private func layer(_ key: String) throws(Problem) -> Layer {
    guard let layer = layers.first(where: { $0.key == key })?.layer else {
      throw Problem(
        .noSuchLayer, message: "There is no layer \"\(key)\".",
        suggestion: "Check the list of layers.", actions: [.init(.listLayers)])
    }
    return layer
  }

  private var layers: [(key: String, layer: Layer)] {
    guard let map else { return [] }
    let tree = LayerTree(map.webMap)
    return (tree.ordered + tree.tables.compactMap(tree.node)).map { ($0.id, $0.layer) }
  }

  // MARK: - Opening

  /// Opens the map with the layers that are loaded; the view is as the map says, and layers that
  /// are retried or skipped later change in it as well.
  ///
  /// - Throws: A problem if no map is loaded.
  public func open() async throws(Problem) -> MapModel {
    guard let map, let contents else {
      throw Problem(
        message: "No web map is loaded.", suggestion: "Load a web map.",
        actions: [.init(.loadWebMap)])
    }
    var item: JSONObject = ["title": .string(map.title)]
    item["id"] = map.item.map { .string($0.id.text) }
    let model = MapModel(
      map: MobileMap(
        name: map.item?.id.text ?? map.title,
        item: MobileMapItem(json: item, fallbackTitle: map.title), webMap: map.webMap,
        contents: contents), timeZone: timeZone, locale: locale, portal: portal, drawing: drawing)
    model.noteAge(state.contents?.keptSince)
    await model.load()
    opened = model
    return model
  }
}

extension WebMapModel.Contents {
  fileprivate init(_ map: OnlineMap) {
    let tree = LayerTree(map.webMap)
    title = map.title
    itemID = map.item?.id.text
    version = map.webMap.version
    bookmarkCount = map.webMap.bookmarks.count
    layers = (tree.ordered + tree.tables.compactMap(tree.node)).map { node in
      WebMapModel.Row(
        id: node.id, title: node.layer.title, type: node.layer.typeName,
        groups: tree.groupTitles(above: node.id), isBasemap: node.layer.role == .basemap,
        status: .notLoaded)
    }
  }
}
