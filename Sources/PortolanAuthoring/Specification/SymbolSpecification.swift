internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap

/// A symbol as a specification describes it, before it is known what shapes it is for.
struct SymbolSpecification: Sendable {
  /// A symbol in the words of the web map specification, which is taken as it is but for the color and the size
  /// of a class.
  var esri: JSONValue?
  var color: RGBAColor?
  var outline: RGBAColor?
  var outlineWidth: Double?
  var width: Double?
  var size: Double?
  var style: String?
  var path: SpecificationPath

  static let members = [
    "color", "outline", "outlineWidth", "width", "size", "style",
  ]

  init(_ node: SpecificationNode) {
    path = node.path
    if let type = node.value("type")?.string, type.hasPrefix("esri") || type.hasPrefix("CIM") {
      let members = node.names.map {
        JSONObject.Member(name: $0, value: node.value($0) ?? .null)
      }
      esri = .object(JSONObject(members))
      return
    }
    node.allow(Self.members)
    color = node.color("color")
    outline = node.color("outline")
    outlineWidth = node.number("outlineWidth", in: 0...50)
    width = node.number("width", in: 0...100)
    size = node.number("size", in: 0...200)
    style = node.text("style")
  }

  init(at path: SpecificationPath) { self.path = path }

  /// The symbol with what another one says instead.
  func changed(by other: SymbolSpecification?) -> SymbolSpecification {
    guard let other else { return self }
    if other.esri != nil { return other }
    var symbol = self
    // A style is one of a symbol in our own words.
    symbol.esri = other.style == nil ? esri : nil
    symbol.color = other.color ?? color
    symbol.outline = other.outline ?? outline
    symbol.outlineWidth = other.outlineWidth ?? outlineWidth
    symbol.width = other.width ?? width
    symbol.size = other.size ?? size
    symbol.style = other.style ?? style
    symbol.path = other.path
    return symbol
  }

  /// The type of a symbol of the web map specification that takes no other color; `nil` for others.
  var typeWithoutColor: String? {
    guard let type = esri?["type"]?.string, !Self.typesWithColor.contains(type) else { return nil }
    return type
  }

  /// The types of symbols of the web map specification that take the color of a class.
  private static let typesWithColor: Set<String> = ["esriSMS", "esriSLS", "esriSFS", "esriTS"]

  /// Whether it has a color of its own.
  var hasColor: Bool { color != nil || RGBAColor(json: esri?.object?["color"]) != nil }

  /// The same in another color.
  func colored(_ color: RGBAColor?) -> SymbolSpecification {
    guard let color else { return self }
    var symbol = SymbolSpecification(at: path)
    symbol.color = color
    return changed(by: symbol)
  }

  /// The same in another size, or width for lines.
  func sized(_ size: Double?, for type: GeometryType?) -> SymbolSpecification {
    guard let size else { return self }
    var symbol = self
    if type == .polyline { symbol.width = size } else { symbol.size = size }
    return symbol
  }

  /// The styles that shapes of a type can have, with the names that web maps have for them.
  static func styles(for type: GeometryType?) -> [String: String] {
    switch type {
    case .point, .multipoint, nil:
      [
        "circle": "esriSMSCircle", "square": "esriSMSSquare", "diamond": "esriSMSDiamond",
        "cross": "esriSMSCross", "x": "esriSMSX", "triangle": "esriSMSTriangle",
      ]
    case .polyline:
      [
        "solid": "esriSLSSolid", "dash": "esriSLSDash", "dot": "esriSLSDot",
        "dashDot": "esriSLSDashDot", "dashDotDot": "esriSLSDashDotDot",
      ]
    default:
      [
        "solid": "esriSFSSolid", "none": "esriSFSNull", "horizontal": "esriSFSHorizontal",
        "vertical": "esriSFSVertical", "cross": "esriSFSCross",
        "diagonalCross": "esriSFSDiagonalCross",
        "forwardDiagonal": "esriSFSForwardDiagonal",
        "backwardDiagonal": "esriSFSBackwardDiagonal",
      ]
    }
  }

  /// The symbol for shapes of a type, in the words of the web map specification.
  func json(for type: GeometryType?) -> JSONValue {
    if let esri { return varied(esri) }
    let styles = Self.styles(for: type)
    let named = style.flatMap { styles[$0] }
    let color = color ?? RGBAColor(red: 70, green: 110, blue: 160)
    switch type {
    case .point, .multipoint, nil:
      return [
        "type": "esriSMS", "style": .string(named ?? "esriSMSCircle"), "color": color.json,
        "size": .number(size ?? 6), "outline": line(outline ?? .darkLine, outlineWidth ?? 0.5),
      ]
    case .polyline:
      return line(color, width ?? 1.5, named ?? "esriSLSSolid")
    default:
      return [
        "type": "esriSFS", "style": .string(named ?? "esriSFSSolid"), "color": color.json,
        "outline": line(outline ?? .darkLine, outlineWidth ?? 0.75),
      ]
    }
  }

  /// A symbol of the web map specification in the color and the size of a class; pictures keep their colors.
  private func varied(_ esri: JSONValue) -> JSONValue {
    guard var symbol = esri.object else { return esri }
    let type = symbol.text("type") ?? ""
    if let color, Self.typesWithColor.contains(type) {
      symbol["color"] = color.json
    }
    switch type {
    case "esriSMS": if let size { symbol["size"] = .number(size) }
    case "esriSLS": if let width { symbol["width"] = .number(width) }
    case "esriPMS":
      guard let size, let own = symbol.number("height"), own > 0 else { break }
      symbol["width"] = symbol.number("width").map { .number($0 * size / own) }
      symbol["height"] = .number(size)
    default: break
    }
    return .object(symbol)
  }

  private func line(
    _ color: RGBAColor, _ width: Double, _ style: String = "esriSLSSolid"
  ) -> JSONValue {
    [
      "type": "esriSLS", "style": .string(style), "color": color.json, "width": .number(width),
    ]
  }
}

extension RGBAColor {
  fileprivate static let darkLine = RGBAColor(red: 60, green: 60, blue: 60)
}
