public import Observation
internal import PortolanMap

/// The list of the layers of an open map, with a switch each.
@MainActor
@Observable
public final class TableOfContentsModel {
  /// A layer in the list.
  public struct Entry: Hashable, Sendable, Codable, Identifiable {
    /// The layer's key in the map.
    public var id: String
    /// The layer's title.
    public var title: String
    /// The name of its type, as documents write it.
    public var type: String
    /// Whether it is switched on.
    public var isOn: Bool
    /// Whether it is drawn now: it and its groups are on, and the scale is in their ranges.
    public var isVisible: Bool
    /// Whether only one layer of its group is on at a time.
    public var isExclusive: Bool
    /// Whether the layer belongs to the basemap.
    public var isBasemap: Bool
    /// The scales at which it is drawn, as denominators; 0 for no limit.
    public var minScale: Double
    /// The scales at which it is drawn, as denominators; 0 for no limit.
    public var maxScale: Double
    /// The reason why it cannot be used; `nil` if it can.
    public var problem: String?
    /// The layers in it, top first.
    public var children: [Entry]
  }

  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// The layers, top first.
    public var layers: [Entry] = []
    /// The tables.
    public var tables: [Entry] = []
    /// The omissions when the map was taken offline, with the reasons, a sentence each; empty for
    /// other maps.
    public var omissions: [String] = []

    /// Creates the state of a map without layers.
    public init() {}

    /// All entries, groups before what is in them.
    public var flattened: [Entry] { (layers + tables).flatMap(\.flattened) }
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored private weak var map: MapModel?

  init(map: MapModel) {
    self.map = map
  }

  /// Switches the layer with that key on or off.
  public func setOn(_ key: String, _ isOn: Bool) { map?.setOn(key, isOn) }

  /// Takes over what the map shows now.
  func refresh(_ tree: LayerTree, scale: Double, problems: [String: String]) {
    let builder = EntryBuilder(tree: tree, scale: scale, problems: problems)
    var latest = State()
    latest.layers = tree.roots.compactMap(builder.entry)
    latest.tables = tree.tables.compactMap(builder.entry)
    latest.omissions = map?.stored?.omissions ?? []
    state = latest
  }
}

extension TableOfContentsModel.Entry {
  /// The entry and all in it.
  public var flattened: [Self] { [self] + children.flatMap(\.flattened) }
}

/// Makes entries of layers.
private struct EntryBuilder {
  let tree: LayerTree
  let scale: Double
  let problems: [String: String]

  func entry(_ key: String) -> TableOfContentsModel.Entry? {
    guard let node = tree.node(key), node.layer.listMode != .hide else { return nil }
    let showsChildren = node.layer.listMode != .hideChildren
    let scaleRange = tree.scaleRange(of: node)
    return TableOfContentsModel.Entry(
      id: key, title: node.layer.title, type: node.layer.typeName, isOn: tree.isOn(key),
      isVisible: tree.isShown(key) && tree.isInScaleRange(key, scale: scale),
      isExclusive: tree.isExclusive(key), isBasemap: node.layer.role == .basemap,
      minScale: scaleRange.minScale, maxScale: scaleRange.maxScale,
      problem: problems[key], children: showsChildren ? node.children.compactMap(entry) : [])
  }
}
