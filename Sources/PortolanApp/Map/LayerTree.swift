public import PortolanMap

/// The layers of an open map, each with a key of its own, and which of them are switched on.
///
/// Documents may repeat ids or leave them out, so a layer is known by a key: its id where that is
/// unique in the map, else its place.
public struct LayerTree: Hashable, Sendable {
  /// A layer in its place.
  public struct Node: Hashable, Sendable, Identifiable {
    /// The key, unique in the map and the same each time it is opened.
    public let id: String
    /// The layer as the map describes it.
    public let layer: Layer
    /// The key of the group it is in.
    public let parent: String?
    /// The keys of the layers in it, top first.
    public let children: [String]
  }

  /// The keys of the layers that are in no group, **top first**: reference layers of the basemap,
  /// operational layers, the rest of the basemap.
  public let roots: [String]
  /// The keys of the tables.
  public let tables: [String]

  private let nodes: [String: Node]
  private var isSwitchedOn: [String: Bool]
  /// The scales at which services show their layers, by the keys of the layers.
  private var serviceScaleRanges: [String: ScaleRange] = [:]

  /// Puts the layers of a map in their places.
  public init(_ map: WebMap) {
    let basemap = map.basemap.layers
    var builder = Builder(
      layers: map.operationalLayers + basemap + map.tables)
    let reference = builder.add(basemap.filter(\.isReference), in: nil)
    let operational = builder.add(map.operationalLayers, in: nil)
    roots =
      reference + operational + builder.add(basemap.filter { !$0.isReference }, in: nil)
    tables = map.tables.map { builder.add($0, in: nil) }
    nodes = builder.nodes
    isSwitchedOn = nodes.mapValues(\.layer.isVisible)
    for key in nodes.keys.sorted() { keepOneVisible(inGroup: key) }
  }

  /// The layer with that key.
  public func node(_ key: String) -> Node? { nodes[key] }

  /// All layers, each group before the layers in it, top first; no tables.
  public var ordered: [Node] { roots.flatMap(flattened) }

  /// Whether the layer itself is switched on, whatever its groups are.
  ///
  /// In a group that hands its own visibility down, a layer is on when the group is.
  public func isOn(_ key: String) -> Bool {
    guard let node = nodes[key] else { return false }
    if mode(ofParentOf: node) == .inherited { return true }
    return isSwitchedOn[key] ?? false
  }

  /// Whether the layer and all groups it is in are on.
  public func isShown(_ key: String) -> Bool {
    lineage(of: key).allSatisfy { isOn($0.id) } && nodes[key] != nil
  }

  /// Whether the layer and all groups it is in are shown at a scale, given as a denominator.
  public func isInScaleRange(_ key: String, scale: Double) -> Bool {
    lineage(of: key).allSatisfy { scaleRange(of: $0).contains(scale) }
  }

  /// The scales at which a layer is shown: as the map says, else as its service does.
  public func scaleRange(of node: Node) -> ScaleRange {
    node.layer.scaleRange(over: serviceScaleRanges[node.id])
  }

  /// Takes note of the scales at which the service of a layer shows it.
  public mutating func setServiceScaleRange(_ range: ScaleRange?, of key: String) {
    serviceScaleRanges[key] = range
  }

  /// Whether the layer is one of a group of which only one is on at a time.
  public func isExclusive(_ key: String) -> Bool {
    nodes[key].flatMap { mode(ofParentOf: $0) } == .exclusive
  }

  /// Switches a layer on or off.
  ///
  /// In an exclusive group the others go off when one goes on. In a group that hands its own
  /// visibility down the group itself is switched.
  public mutating func setOn(_ key: String, _ isOn: Bool) {
    guard let node = nodes[key] else { return }
    switch mode(ofParentOf: node) {
    case .inherited:
      if let parent = node.parent { setOn(parent, isOn) }
    case .exclusive where isOn:
      for sibling in node.parent.flatMap({ nodes[$0] })?.children ?? [] {
        isSwitchedOn[sibling] = sibling == key
      }
    default: isSwitchedOn[key] = isOn
    }
  }

  /// Switches the layers that another tree has as well on or off as they are there.
  mutating func takeSwitches(of other: LayerTree) {
    for (key, isOn) in other.isSwitchedOn where nodes[key]?.layer == other.nodes[key]?.layer {
      isSwitchedOn[key] = isOn
    }
  }

  /// The layer and the groups it is in, innermost first.
  private func lineage(of key: String) -> [Node] {
    var lineage: [Node] = []
    var next = nodes[key]
    while let node = next {
      lineage.append(node)
      next = node.parent.flatMap { nodes[$0] }
    }
    return lineage
  }

  private func flattened(_ key: String) -> [Node] {
    guard let node = nodes[key] else { return [] }
    return [node] + node.children.flatMap(flattened)
  }

  private func mode(ofParentOf node: Node) -> GroupVisibilityMode? {
    node.parent.flatMap { nodes[$0] }?.layer.visibilityMode
  }

  /// Of several layers that are on in an exclusive group, only the topmost stays on.
  private mutating func keepOneVisible(inGroup key: String) {
    guard let group = nodes[key], group.layer.type == .group,
      group.layer.visibilityMode == .exclusive
    else { return }
    let on = group.children.filter { isSwitchedOn[$0] ?? false }
    for child in on.dropFirst() { isSwitchedOn[child] = false }
  }
}

extension LayerTree {
  /// Gives keys and notes who is in whom.
  private struct Builder {
    var nodes: [String: Node] = [:]
    private var idCounts: [String: Int]

    init(layers: [Layer]) {
      idCounts = Dictionary(
        layers.flatMap(\.flattened).compactMap(\.id).map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Adds layers given bottom first; returns their keys, top first.
    mutating func add(_ layers: [Layer], in parent: String?) -> [String] {
      var keys: [String] = []
      for layer in layers.reversed() { keys.append(add(layer, in: parent)) }
      return keys
    }

    mutating func add(_ layer: Layer, in parent: String?) -> String {
      let key = key(for: layer, in: parent)
      // Reserves the key, so that no layer inside takes it.
      nodes[key] = Node(id: key, layer: layer, parent: parent, children: [])
      let children = add(layer.layers, in: key)
      nodes[key] = Node(id: key, layer: layer, parent: parent, children: children)
      return key
    }

    private func key(for layer: Layer, in parent: String?) -> String {
      let stem = layer.id ?? layer.title
      if idCounts[stem, default: 1] == 1, nodes[stem] == nil { return stem }
      let name = parent.map { "\($0)/\(stem)" } ?? stem
      var key = name
      var number = 1
      while nodes[key] != nil {
        number += 1
        key = "\(name)#\(number)"
      }
      return key
    }
  }
}
