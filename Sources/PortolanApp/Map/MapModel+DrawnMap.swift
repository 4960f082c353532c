internal import PortolanMap
internal import PortolanPackages

extension MapModel {
  /// The layers that are on.
  var drawn: DrawnMap { drawn(of: tree) }

  /// The layers that are on, with some switched otherwise for this time.
  func drawn(showing shown: [String], hiding hidden: [String]) -> DrawnMap {
    var tree = tree
    for key in hidden { tree.setOn(key, false) }
    for key in shown {
      tree.setOn(key, true)
      for group in tree.groupKeys(above: key) { tree.setOn(group, true) }
    }
    return drawn(of: tree)
  }

  private func drawn(of tree: LayerTree) -> DrawnMap {
    let shown = tree.ordered.reversed().compactMap { node -> DrawnLayer? in
      guard tree.isShown(node.id), node.layer.type != .group, let content = contents[node.id]
      else { return nil }
      return DrawnLayer(
        layer: node.layer, content: content, groups: tree.groups(above: node.id), key: node.id)
    }
    return DrawnMap(of: map, layers: shown)
  }
}

extension LayerTree {
  /// The groups that a layer is in, innermost first.
  fileprivate func groups(above key: String) -> [Layer] {
    groupKeys(above: key).compactMap { node($0)?.layer }
  }

  /// The keys of the groups that a layer is in, innermost first.
  fileprivate func groupKeys(above key: String) -> [String] {
    var keys: [String] = []
    var next = node(key)?.parent
    while let key = next {
      keys.append(key)
      next = node(key)?.parent
    }
    return keys
  }
}
