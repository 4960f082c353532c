internal import PortolanJSON

extension Layer {
  /// The layers in this one, bottom first: of a group, of a subtype group, of a knowledge graph.
  ///
  /// Empty for all others; the sublayers of map services are no layers of the map
  /// (``MapServiceContent``).
  public var layers: [Layer] {
    get {
      guard let name = childrenName else { return [] }
      let role: Role = type == .subtypeGroupTable ? .table : role
      return json.objects(name).map { Layer(json: $0, role: role) }
    }
    set {
      guard let name = childrenName else { return }
      json[name] = JSONValue(newValue.map(\.json))
    }
  }

  /// The way in which visibility is handed down in a group.
  public var visibilityMode: GroupVisibilityMode {
    get { json.text("visibilityMode").flatMap(GroupVisibilityMode.init) ?? .independent }
    set { json["visibilityMode"] = .string(newValue.rawValue) }
  }

  /// This layer and all in it, each before those in it.
  public var flattened: [Layer] { flattened(depth: 0) }

  private func flattened(depth: Int) -> [Layer] {
    guard depth < Self.maximumDepth else { return [] }
    return [self] + layers.flatMap { $0.flattened(depth: depth + 1) }
  }

  /// Changes this layer and all in it, each before those in it.
  mutating func updateTree(depth: Int = 0, _ change: (inout Layer) -> Void) {
    guard depth < Self.maximumDepth else { return }
    change(&self)
    guard let name = childrenName, var children = json[name]?.array else { return }
    for index in children.indices {
      guard let object = children[index].object else { continue }
      var child = Layer(json: object, role: type == .subtypeGroupTable ? .table : role)
      child.updateTree(depth: depth + 1, change)
      children[index] = .object(child.json)
    }
    json[name] = .array(children)
  }

  private var childrenName: String? {
    switch type {
    case .group, .subtypeGroup, .knowledgeGraph: "layers"
    case .subtypeGroupTable: "tables"
    default: nil
    }
  }
}
