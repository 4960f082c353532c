internal import PortolanJSON
internal import PortolanMap

/// A layer of a map as a specification describes it.
struct LayerSpecification: Sendable {
  /// What a popup shows.
  struct Popup: Sendable {
    /// A field of a popup.
    struct Field: Sendable {
      var name: String
      var label: String?
      var places: Int?
      var path: SpecificationPath
    }

    var title: String?
    var text: String?
    var fields: [Field]
    var path: SpecificationPath
  }

  /// What is written beside features.
  struct Label: Sendable {
    var text: String
    var color: RGBAColor
    var halo: RGBAColor?
    var size: Double
    var minScale: Double?
    var whereClause: String?
    var path: SpecificationPath
  }

  var path: SpecificationPath
  /// The name of the table in the specification's `data`.
  var data: String
  var dataPath: SpecificationPath
  var title: String?
  var isVisible: Bool
  var opacity: Double
  var minScale: Double?
  var maxScale: Double?
  var whereClause: String?
  var wherePath: SpecificationPath
  var renderer: RendererSpecification
  var labels: Label?
  /// What its popups show; the fields of the table if `nil`.
  var popup: Popup?
  var hasPopups: Bool

  static let members = [
    "data", "title", "visible", "opacity", "minScale", "maxScale", "where", "renderer", "labels",
    "popup", "style",
  ]

  /// Reads a layer, to which its style has been added.
  init(_ node: SpecificationNode) {
    path = node.path
    node.allow(Self.members)
    data = node.required("data")
    dataPath = node.place(of: "data")
    title = node.text("title")
    isVisible = node.flag("visible") ?? true
    opacity = node.number("opacity", in: 0...1) ?? 1
    minScale = node.scale("minScale")
    maxScale = node.scale("maxScale")
    whereClause = node.text("where")
    wherePath = node.place(of: "where")
    renderer =
      node.node("renderer").map(RendererSpecification.init) ?? RendererSpecification(at: path)
    labels = node.node("labels").map(Label.init)
    hasPopups = node.value("popup")?.bool ?? true
    popup = node.value("popup")?.bool == nil ? node.node("popup").map(Popup.init) : nil
    if let minScale, let maxScale, maxScale > 0, minScale > 0, minScale < maxScale {
      node.add(
        "A layer is seen between its \"minScale\" and its \"maxScale\", the smaller number: this one "
          + "never is.", at: "minScale")
    }
  }
}

extension LayerSpecification.Popup {
  fileprivate init(_ node: SpecificationNode) {
    path = node.path
    node.allow(["title", "text", "fields"])
    title = node.text("title")
    text = node.text("text")
    fields = []
    guard let value = node.value("fields") else { return }
    guard let elements = value.array else {
      node.add("A list is due here.", at: "fields")
      return
    }
    for (index, element) in elements.enumerated() {
      let place = node.place(of: "fields").element(index)
      if let name = element.string {
        fields.append(Field(name: name, path: place))
      } else {
        let entry = SpecificationNode(element, at: place, node.problems)
        entry.allow(["name", "label", "places"])
        fields.append(
          Field(
            name: entry.required("name"), label: entry.text("label"),
            places: entry.integer("places", in: 0...15), path: place))
      }
    }
  }
}

extension LayerSpecification.Label {
  fileprivate init(_ node: SpecificationNode) {
    path = node.path
    node.allow(["text", "color", "halo", "size", "minScale", "where"])
    text = node.required("text")
    color = node.color("color") ?? RGBAColor(red: 40, green: 40, blue: 40)
    halo = node.color("halo")
    size = node.number("size", in: 4...72) ?? 9
    minScale = node.scale("minScale")
    whereClause = node.text("where")
  }
}
