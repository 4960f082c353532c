import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanExpressions

/// A case of the style specification: an expression, what it is for, and what it must give.
struct ExpressionFixture: Sendable, CustomTestStringConvertible {
  let name: String
  let json: JSONValue

  var testDescription: String { name }

  /// All cases that are there; none where the shared fixtures are absent.
  static let all: [ExpressionFixture] = {
    let root = SharedFiles.url("fixtures/style-expressions")
    let paths = FileManager.default.enumerator(atPath: root.path(percentEncoded: false))
    return (paths?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix("/test.json") }.sorted()
      .compactMap { path in
        // A case that cannot be read is missing from the count, which is asserted.
        guard let data = try? Data(contentsOf: root.appending(path: path)),
          let json = try? JSONValue(parsing: data)
        else { return nil }
        return ExpressionFixture(name: String(path.dropLast("/test.json".count)), json: json)
      }
  }()

  var expected: JSONValue? { json["expected"] }
  var compiled: JSONValue? { expected?["compiled"] }
  var isRefused: Bool { compiled?["result"]?.string == "error" }
  var inputs: [JSONValue] { json["inputs"]?.array ?? [] }
  var outputs: [JSONValue] { expected?["outputs"]?.array ?? [] }

  func expression() throws(ExpressionProblems) -> StyleExpression {
    try StyleExpression(json["expression"] ?? .null, for: specification)
  }

  private var specification: PropertySpecification? {
    guard let spec = json["propertySpec"]?.object else { return nil }
    let expression = spec["expression"]
    let parameters = expression?["parameters"]?.array?.compactMap(\.string)
    let drivenByData: Set<String> = ["data-driven", "cross-faded-data-driven"]
    // Cases that say nothing of expressions are for properties that are mixed.
    return PropertySpecification(
      Self.kind(spec),
      isInterpolated: expression.map { $0["interpolated"]?.bool ?? false } ?? true,
      allowsFeatures: spec["property-type"]?.string.map(drivenByData.contains) ?? true,
      allowsZoom: parameters?.contains("zoom") ?? true,
      hasTokens: spec["tokens"]?.bool ?? false, defaultValue: spec["default"])
  }

  private static func kind(_ spec: JSONObject) -> PropertySpecification.Kind {
    switch spec["type"]?.string {
    case "enum": .choice(Set(spec["values"]?.object?.names ?? []))
    case "array":
      .array(
        spec["value"].map { kind(["type": $0]) }, length: spec["length"]?.int)
    case let name?: kinds[name] ?? .null
    case nil: .null
    }
  }

  private static let kinds: [String: PropertySpecification.Kind] = [
    "number": .number, "string": .string, "boolean": .boolean, "color": .color,
    "formatted": .formatted, "resolvedImage": .resolvedImage, "padding": .padding,
    "numberArray": .numberArray, "colorArray": .colorArray,
    "projectionDefinition": .projectionDefinition,
    "variableAnchorOffsetCollection": .variableAnchorOffsetCollection, "null": .null,
  ]

  func context(_ input: JSONValue) -> EvaluationContext {
    let zoom = input[0]?["canonicalID"]?["z"]?.int
    var context = EvaluationContext(
      zoom: input[0]?["zoom"]?.double ?? 0,
      feature: FixtureFeature(json: input[1]?.object ?? [:], zoom: zoom))
    context.elevation = input[0]?["elevation"]?.double
    context.heatmapDensity = input[0]?["heatmapDensity"]?.double
    context.lineProgress = input[0]?["lineProgress"]?.double
    context.accumulated = input[0]?["accumulated"].map(StyleValue.init) ?? .null
    context.availableImages = Set(
      input[0]?["availableImages"]?.array?.compactMap(\.string) ?? [])
    context.featureState = input[1]?["featureState"]?.object ?? [:]
    context.globalState = json["globalState"]?.object ?? [:]
    return context
  }
}

/// A feature of a case.
private struct FixtureFeature: StyleFeature {
  let json: JSONObject
  /// That of the tile that the feature is in; `nil` if it is in none.
  let zoom: Int?

  var identifier: StyleValue { json["id"].map(StyleValue.init) ?? .null }
  /// Tiles do not tell one point from several.
  var geometryType: String? {
    let name = json["geometry"]?["type"]?.string
    return zoom == nil ? name : name?.replacing("Multi", with: "")
  }
  var allProperties: JSONObject { json["properties"]?.object ?? [:] }

  func property(_ name: String) -> StyleValue? { allProperties[name].map(StyleValue.init) }

  var geometry: FeatureGeometry? {
    guard let zoom, let coordinates = json["geometry"]?["coordinates"] else { return nil }
    switch json["geometry"]?["type"]?.string {
    case "Point": return geometry(.points, zoom, [[coordinates]])
    case "MultiPoint": return geometry(.points, zoom, [coordinates.array ?? []])
    case "LineString": return geometry(.lines, zoom, [coordinates.array ?? []])
    case "MultiLineString":
      return geometry(.lines, zoom, coordinates.array?.map { $0.array ?? [] } ?? [])
    case "Polygon":
      return geometry(.polygon, zoom, coordinates.array?.map { $0.array ?? [] } ?? [])
    case "MultiPolygon":
      let rings = coordinates.array?.flatMap { $0.array ?? [] } ?? []
      return geometry(.polygon, zoom, rings.map { $0.array ?? [] })
    default: return nil
    }
  }

  private func geometry(
    _ kind: FeatureGeometry.Kind, _ zoom: Int, _ paths: [[JSONValue]]
  ) -> FeatureGeometry {
    FeatureGeometry(
      kind: kind, zoom: zoom,
      paths: paths.map { path in
        path.map {
          FeatureGeometry.point(
            longitude: $0[0]?.double ?? 0, latitude: $0[1]?.double ?? 0, zoom: zoom)
        }
      })
  }
}

extension StyleValue {
  /// The value as the cases write it: colors as shares that are multiplied by their opacity, and null for
  /// numbers that JSON does not have.
  var fixtureJSON: JSONValue {
    switch self {
    case .number(let number) where !number.isFinite: .null
    case .color(let color): .array(color.multiplied.map(JSONValue.number))
    case .list(let elements): .array(elements.map(\.fixtureJSON))
    case .padding(let numbers), .numberArray(let numbers):
      ["values": .array(numbers.map(JSONValue.number))]
    case .colorArray(let colors): ["values": .array(colors.map(\.fixtureJSON))]
    case .image(let image): ["name": .string(image.name), "available": .bool(image.isAvailable)]
    case .projection(let from, let to, let transition):
      ["from": .string(from), "to": .string(to), "transition": .number(transition)]
    case .formatted(let text): ["sections": .array(text.sections.map(Self.json))]
    case .anchorOffsets: ["values": json ?? .null]
    default: json ?? .null
    }
  }

  private static func json(_ section: FormattedText.Section) -> JSONValue {
    [
      "text": .string(section.text),
      "image": section.image.map { StyleValue.image($0).fixtureJSON } ?? .null,
      "scale": section.scale.map(JSONValue.number) ?? .null,
      "fontStack": section.fontStack.map(JSONValue.string) ?? .null,
      "textColor": section.color?.fixtureJSON ?? .null,
      "verticalAlign": section.verticalAlignment.map(JSONValue.string) ?? .null,
    ]
  }
}

extension StyleColor {
  fileprivate var multiplied: [Double] { [red * alpha, green * alpha, blue * alpha, alpha] }

  fileprivate var fixtureJSON: JSONValue {
    let parts = multiplied
    return [
      "r": .number(parts[0]), "g": .number(parts[1]), "b": .number(parts[2]),
      "a": .number(parts[3]),
    ]
  }
}

extension JSONValue {
  /// Whether two results agree in the six digits that the cases have.
  func isNear(_ other: JSONValue) -> Bool {
    if let left = double, let right = other.double {
      return left == right || abs(left - right) <= 2e-5 * max(abs(left), abs(right), 0.1)
    }
    if let left = array, let right = other.array {
      return left.count == right.count && zip(left, right).allSatisfy { $0.isNear($1) }
    }
    if let left = object, let right = other.object {
      return left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right[member.name].map { member.value.isNear($0) } ?? false
        }
    }
    return self == other
  }
}
