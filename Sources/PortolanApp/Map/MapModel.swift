public import Observation
public import PortolanGeometry
public import PortolanMap
public import PortolanPackages
public import PortolanPortal
public import PortolanSearch
internal import PortolanTiles

public import struct Foundation.Date
public import struct Foundation.Locale
public import struct Foundation.TimeZone
public import struct Foundation.URL

/// The screen with an open map.
///
/// It owns what is seen (``State/frame``) and which layers are on; the models for its panels follow
/// it.
@MainActor
@Observable
public final class MapModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The map's title.
    public var title: String
    /// The window through which the map is seen.
    public var frame: MapFrame
    /// Whether the layers have been looked for.
    public var isLoaded: Bool
    /// The problems of layers that cannot be used, by layer key.
    public var problems: [String: String]
    /// The titles of those layers, by layer key.
    public var problemTitles: [String: String] = [:]
    /// The keys of those of which the map has the data, which cannot be read: what holds it may be
    /// damaged.
    public var unreadableLayers: Set<String> = []
    /// The roots of the servers that want a sign-in, by the keys of the layers that they have refused for want of
    /// one.
    public var signInServers: [String: URL] = [:]
    /// Counts what changes the drawing.
    ///
    /// Layers that are switched or loaded and edits count, moving and zooming do not. A picture or
    /// tile that was drawn at another number is out of date.
    public var drawingRevision = 0
    /// The drawing of each layer in the last picture, by layer key.
    ///
    /// Layers of services are asked for while a picture is drawn: one that is loading says so here,
    /// one that failed why. What failed is asked for again by the next picture.
    public var drawings: [String: LayerDrawing] = [:]
    /// The date since which its services may have changed, where they could not be reached and are
    /// shown as they were; `nil` if they could.
    public var keptSince: Date?
  }

  /// The current state; observe this.
  public private(set) var state: State

  /// The map.
  @ObservationIgnored public let map: MobileMap
  /// The id of the map's item, if it has one.
  public var itemID: String? { map.item.id }
  /// The file or folder that the map came from; `nil` if it came from a portal.
  @ObservationIgnored let origin: URL?
  /// The subject by which the map is searched; `nil` of one that is open from a portal.
  @ObservationIgnored var searchSubject: LocatorSubject?
  /// The indexes of maps; `nil` for memory.
  @ObservationIgnored let indexes: LocatorIndexes?
  /// The portal that the map is open from; `nil` of maps on this device.
  @ObservationIgnored let portal: Portal?
  /// Draws the map.
  @ObservationIgnored let drawing: any MapDrawing
  /// Counts changes of features, and of where they come from.
  @ObservationIgnored private(set) var featureRevision = 0
  /// The stored map that this is a map of; `nil` of other files.
  @ObservationIgnored var stored: OpenedStoredMap? { didSet { refresh() } }
  /// Counts how often a file was opened for editing.
  @ObservationIgnored var fileOpenings = 0
  /// The list of layers.
  @ObservationIgnored public private(set) lazy var tableOfContents = TableOfContentsModel(map: self)
  /// The legend.
  @ObservationIgnored public private(set) lazy var legend = LegendModel(drawing: drawing)
  /// Pictures of the map.
  @ObservationIgnored public private(set) lazy var snapshot = SnapshotModel(map: self)
  /// The map as tiles.
  @ObservationIgnored public private(set) lazy var tiles = MapTilesModel(map: self)
  /// Named places.
  @ObservationIgnored public private(set) lazy var bookmarks = BookmarksModel(map: self)
  /// The search box.
  @ObservationIgnored public private(set) lazy var search = SearchModel(
    map: self, indexes: indexes)
  /// Identifying features at a point.
  @ObservationIgnored public private(set) lazy var identify = IdentifyModel(map: self)
  /// Changes to features.
  @ObservationIgnored public private(set) lazy var editing = EditingModel(map: self)
  /// Features one at a time.
  @ObservationIgnored public let popups: PopupsModel

  /// The layers and which are on.
  @ObservationIgnored private(set) var tree: LayerTree
  /// The style that vector tiles are drawn with in place of their own.
  @ObservationIgnored private var style: StyleFile?
  /// Measures how long opening waits for services.
  @ObservationIgnored let clock: any Clock<Duration>
  /// The tasks that still wait for services which did not answer in time.
  @ObservationIgnored var lateLoads: [ObjectIdentifier: Task<Void, Never>] = [:]
  /// The data of the layers, by key.
  @ObservationIgnored private(set) var contents: [String: LayerContent] = [:]

  /// Creates the screen; nothing is read until ``load()``.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - viewport: The size of the window.
  ///   - timeZone: The time zone of dates, unless the map names one.
  ///   - locale: The locale of dates and numbers; that of documents if `nil`.
  ///   - origin: The file or folder that the map came from, which no picture may replace.
  ///   - indexes: Where indexes for searching are kept; in memory if `nil`.
  ///   - portal: The portal that the map is open from, whose geocode service finds places.
  ///   - drawing: Draws the map.
  ///   - clock: Measures how long opening waits for services.
  public init(
    map: MobileMap, viewport: MapViewport = MapViewport(), timeZone: TimeZone = .gmt,
    locale: Locale? = nil, origin: URL? = nil,
    indexes: LocatorIndexes? = nil, portal: Portal? = nil,
    drawing: any MapDrawing = NoDrawing(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.clock = clock
    self.map = map
    self.portal = portal
    self.drawing = drawing
    self.origin = origin
    searchSubject = origin.map { LocatorSubject(title: map.title, package: $0, name: map.name) }
    self.indexes = indexes
    let ownTimeZone = map.webMap.timeZone.flatMap(TimeZone.init(identifier:))
    popups = PopupsModel(timeZone: ownTimeZone ?? timeZone, locale: locale)
    tree = LayerTree(map.webMap)
    let frame = map.initialFrame(width: viewport.width, height: viewport.height)
    state = State(title: map.title, frame: frame, isLoaded: false, problems: [:])
    popups.map = self
  }

  /// Notes since when its services may have changed.
  func noteAge(_ date: Date?) { state.keptSince = date }

  /// All layers have been looked for.
  func noteLoaded() {
    state.isLoaded = true
    drawingHasChanged()
    refresh()
  }

  /// Takes what is behind a layer over.
  func take(_ found: LayerContent, of node: LayerTree.Node) {
    let content = restyled(found)
    contents[node.id] = content
    tree.setServiceScaleRange(content.serviceScaleRange, of: node.id)
    state.problems[node.id] = content.problem
    state.problemTitles[node.id] = content.problem == nil ? nil : node.layer.title
    if Self.isUnreadable(content, of: node.layer) {
      state.unreadableLayers.insert(node.id)
    } else {
      state.unreadableLayers.remove(node.id)
    }
  }

  /// Takes note of whether a layer was refused for want of a sign-in to its server.
  func noteSignIn(isWanted: Bool, for node: LayerTree.Node) {
    let service = isWanted ? node.layer.url.flatMap { URL(string: $0) } : nil
    state.signInServers[node.id] = service.flatMap(PortalURL.init(serverOf:))?.root
  }

  /// Shows a viewpoint, given in its own or else in the map's spatial reference.
  ///
  /// - Throws: A problem if the viewpoint cannot be projected to the map's reference.
  public func go(to viewpoint: Viewpoint) throws(Problem) {
    do { state.frame = try state.frame.showing(viewpoint) } catch { throw Problem(error) }
    refresh()
  }

  /// Shows what another window shows.
  func show(_ frame: MapFrame) {
    state.frame = frame
    refresh()
  }

  /// Shows what another model of the map shows: the same place, and the layers that are on there.
  func takeView(of other: MapModel) {
    state.frame = other.state.frame
    tree.takeSwitches(of: other.tree)
    drawingHasChanged()
    refresh()
  }

  /// Takes over the size of the window.
  ///
  /// A map that was not moved yet shows what it shows first; another keeps its middle and its scale.
  public func resize(to viewport: MapViewport) {
    let (width, height) = (viewport.width, viewport.height)
    guard (width, height) != (state.frame.width, state.frame.height) else { return }
    if state.frame == map.initialFrame(width: state.frame.width, height: state.frame.height) {
      state.frame = map.initialFrame(width: width, height: height)
    } else {
      (state.frame.width, state.frame.height) = (width, height)
    }
    refresh()
  }

  /// Changes the scale, keeping the middle.
  ///
  /// - Parameter scale: The denominator of the scale.
  public func setScale(_ scale: Double) {
    state.frame.scale = scale
    refresh()
  }

  /// Switches a layer on or off.
  public func setOn(_ key: String, _ isOn: Bool) {
    tree.setOn(key, isOn)
    drawingHasChanged()
    refresh()
  }

  /// Draws all vector tiles of the map with a style, and the pictures of tiles that it draws; `nil` for
  /// those that they come with.
  ///
  /// - Throws: A problem if no layer of the map has tiles that the style draws.
  func setStyle(_ style: StyleFile?) async throws(Problem) {
    self.style = style
    await load(tree.ordered)
    drawingHasChanged()
    refresh()
    guard style == nil || contents.values.contains(where: \.hasVectorTiles) else {
      throw Problem(
        message: "The map has no vector tiles, so a style changes nothing.",
        suggestion: "Open a file with vector tiles, or leave the style out.")
    }
  }

  private func restyled(_ content: LayerContent) -> LayerContent {
    guard let style else { return content }
    switch content {
    case .vectorTiles(let package): return .styledTiles(style.styling(package))
    case .tiles(let source) where style.draws(source):
      return .styledTiles(style.styling(source))
    case .styledTiles(let tiles):
      guard let source = tiles.sources.first?.value else { return content }
      return .styledTiles(style.styling(source))
    default: return content
    }
  }

  /// Takes note of how a layer is drawn.
  func note(_ drawing: LayerDrawing) { state.drawings[drawing.key] = drawing }

  /// Takes note of how a layer is drawn on a tile: a part of it that failed is not forgotten for those
  /// that did not.
  func note(ofTile drawing: LayerDrawing) {
    let known = state.drawings[drawing.key]
    guard known != drawing, known?.reason == nil || drawing.reason != nil else { return }
    note(drawing)
  }

  /// Has everything drawn again if something could not be loaded, as when there is a network again.
  public func drawMissingAgain() {
    guard state.drawings.values.contains(where: \.mayBeWhole) else { return }
    drawingHasChanged()
  }

  /// Marks the pictures drawn so far as out of date.
  func drawingHasChanged() {
    state.drawings = state.drawings.filter { $0.value.reason == nil }
    state.drawingRevision += 1
  }

  /// Features were added, changed or removed.
  func featuresHaveChanged() {
    featureRevision += 1
    drawingHasChanged()
  }

  /// Whether a layer is drawn now.
  func isVisible(_ key: String) -> Bool {
    tree.isShown(key) && tree.isInScaleRange(key, scale: state.frame.scale)
  }

  /// The layers whose features people may ask for now, topmost first.
  var identifiableLayers: [(node: LayerTree.Node, tables: [FeatureLayerContent])] {
    tree.ordered.compactMap { node in
      guard node.layer.isPopupEnabled, isVisible(node.id),
        let tables = contents[node.id]?.features.filter(\.isPopupEnabled), !tables.isEmpty
      else { return nil }
      return (node, tables)
    }
  }

  /// The feature layers that are drawn now as far as the map goes, and whose data are here but cannot
  /// be read, with the reason, topmost first.
  var unreadableLayers: [(node: LayerTree.Node, reason: String)] {
    tree.ordered.compactMap { node in
      let layer = node.layer
      // A layer that is left to its service does not count as missing offline.
      guard layer.isPopupEnabled, isVisible(node.id), layer.type?.holdsFeatures == true,
        layer.path != nil || layer.url == nil, case .unavailable(let reason) = contents[node.id]
      else { return nil }
      return (node, reason)
    }
  }

  /// Brings the list of layers and the legend up to date.
  func refresh() {
    let scale = state.frame.scale
    tableOfContents.refresh(tree, scale: scale, problems: state.problems)
    legend.refresh(tree, contents, scale: scale)
  }
}

extension LayerType {
  /// Whether such layers are asked for features.
  fileprivate var holdsFeatures: Bool { self == .feature || self == .subtypeGroup }
}

extension LayerContent {
  /// Whether the layer is drawn from vector tiles.
  fileprivate var hasVectorTiles: Bool {
    switch self {
    case .vectorTiles, .styledTiles: true
    case .tiles(let source): source.info.isVector
    default: false
    }
  }
}
