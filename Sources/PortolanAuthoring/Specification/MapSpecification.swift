internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A map of a package as a specification describes it.
struct MapSpecification: Sendable {
  /// A named place.
  struct Place: Sendable {
    var name: String
    var extent: Envelope
  }

  /// What is below all layers.
  struct Backdrop: Sendable {
    /// A tile package, or the name of one of the specification's `backdrops`.
    var file: String
    var title: String?
    var path: SpecificationPath
  }

  /// A field by which the features of a layer are found.
  struct SearchEntry: Sendable {
    var layer: String
    var field: String
    var path: SpecificationPath
  }

  var path: SpecificationPath
  var name: String
  var title: String?
  var summary: String
  var tags: [String]
  /// What is seen at first, in degrees; all that the layers show if `nil`.
  var extent: Envelope?
  var backgroundColor: RGBAColor?
  var backdrop: Backdrop?
  var layers: [LayerSpecification]
  var bookmarks: [Place]
  var searchHint: String?
  var search: [SearchEntry]

  init(_ node: SpecificationNode, styles: LayerStyles) {
    path = node.path
    node.allow([
      "name", "title", "summary", "tags", "extent", "background", "backdrop", "layers",
      "bookmarks", "search",
    ])
    name = node.required("name")
    title = node.text("title")
    summary = node.text("summary") ?? ""
    tags = node.texts("tags")
    extent = node.box("extent")
    backgroundColor = node.color("background")
    backdrop = Self.backdrop(node)
    layers = node.nodes("layers").map { LayerSpecification(styles.styled($0)) }
    bookmarks = node.nodes("bookmarks").compactMap(Self.bookmark)
    let search = node.node("search")
    search?.allow(["hint", "layers"])
    searchHint = search?.text("hint")
    self.search = search?.nodes("layers").map(Self.searchEntry) ?? []
    if layers.isEmpty, backdrop == nil { node.add("The map has neither layers nor a backdrop.") }
  }

  /// A backdrop is the name of a file, or an object with a title.
  private static func backdrop(_ node: SpecificationNode) -> Backdrop? {
    guard let value = node.value("backdrop") else { return nil }
    let path = node.place(of: "backdrop")
    if value.string != nil { return Backdrop(file: node.required("backdrop"), path: path) }
    guard let object = node.node("backdrop") else { return nil }
    object.allow(["file", "title"])
    return Backdrop(
      file: object.required("file"), title: object.text("title"), path: object.place(of: "file"))
  }

  private static func bookmark(_ node: SpecificationNode) -> Place? {
    node.allow(["name", "extent"])
    let name = node.required("name")
    guard node.value("extent") != nil else {
      node.add("\"extent\" is missing.")
      return nil
    }
    return node.box("extent").map { Place(name: name, extent: $0) }
  }

  private static func searchEntry(_ node: SpecificationNode) -> SearchEntry {
    node.allow(["layer", "field"])
    return SearchEntry(
      layer: node.required("layer"), field: node.required("field"), path: node.path)
  }
}

/// Shared styles of layers, by name.
struct LayerStyles {
  private let styles: [String: SpecificationNode]

  /// Reads the styles; one may be based on another, but not on itself.
  init(_ node: SpecificationNode) {
    let own = Dictionary(
      node.namedNodes("styles").map { ($0.name, $0.node) }, uniquingKeysWith: { $1 })
    styles = own.mapValues { Self.whole($0, among: own) }
    for style in own.values {
      style.allow(LayerSpecification.members.filter { $0 != "style" } + ["basedOn"])
    }
  }

  /// A style with what it is based on.
  private static func whole(
    _ style: SpecificationNode, among all: [String: SpecificationNode]
  ) -> SpecificationNode {
    var style = style
    var visited: Set<String> = []
    while let base = style.text("basedOn") {
      let place = style.place(of: "basedOn")
      style = style.without("basedOn")
      guard let other = all[base] else {
        style.problems.add("There is no style \"\(base)\".", at: place)
        break
      }
      guard visited.insert(base).inserted, other.path != style.path else {
        style.problems.add("The style \"\(base)\" is based on itself.", at: place)
        break
      }
      style = style.inheriting(from: other)
    }
    return style
  }

  /// A layer with the members of its style where it has none of its own.
  func styled(_ layer: SpecificationNode) -> SpecificationNode {
    guard let name = layer.text("style") else { return layer }
    guard let style = styles[name] else {
      layer.add("There is no style \"\(name)\".", at: "style")
      return layer
    }
    return layer.inheriting(from: style)
  }
}
