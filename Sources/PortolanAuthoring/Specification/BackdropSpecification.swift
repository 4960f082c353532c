internal import PortolanMap

/// A backdrop that is drawn from tables of the specification, as vector tiles.
struct BackdropSpecification: Sendable {
  /// A table of the backdrop, and how it is drawn.
  struct Layer: Sendable {
    var data: String
    var dataPath: SpecificationPath
    var color: RGBAColor
    var outline: RGBAColor?
    var width: Double
    /// The coarsest level on which it is shown.
    var minLevel: Int
  }

  var name: String
  var path: SpecificationPath
  var title: String?
  var background: RGBAColor?
  var layers: [Layer]
  /// The finest level.
  var maxLevel: Int

  /// The name of the file in the package.
  var fileName: String { "\(name).vtpk" }

  init(_ name: String, _ node: SpecificationNode) {
    self.name = name
    path = node.path
    node.allow(["title", "background", "layers", "maxLevel"])
    if !name.isFileName { node.add(PackageSpecification.noFileName(name)) }
    title = node.text("title")
    background = node.color("background")
    maxLevel = node.integer("maxLevel", in: 0...18) ?? 14
    layers = node.nodes("layers").map { layer in
      layer.allow(["data", "color", "outline", "width", "minLevel"])
      return Layer(
        data: layer.required("data"), dataPath: layer.place(of: "data"),
        color: layer.color("color") ?? RGBAColor(red: 200, green: 200, blue: 200),
        outline: layer.color("outline"), width: layer.number("width", in: 0...50) ?? 1,
        minLevel: layer.integer("minLevel", in: 0...18) ?? 0)
    }
    if layers.isEmpty { node.add("A backdrop has at least one layer.") }
  }
}
