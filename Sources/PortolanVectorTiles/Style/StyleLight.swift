internal import Foundation
internal import PortolanExpressions
internal import PortolanJSON
internal import PortolanMap

/// The light of a style, which makes the colours of buildings brighter or darker.
///
/// - SeeAlso: [Light](https://maplibre.org/maplibre-style-spec/light/)
package struct StyleLight: Sendable {
  /// The share that is added to the colour of a building, so that none is black altogether.
  private static let ambient = 0.03

  private static let specifications: [(name: String, specification: PropertySpecification)] = [
    ("color", PropertySpecification(.color)), ("intensity", PropertySpecification(.number)),
    ("position", PropertySpecification(.array(.number, length: 3))),
  ]

  private var properties: [String: StyleExpression] = [:]
  /// The parts of the light that cannot be read, in clauses for people.
  private(set) var problems: [String] = []

  init(_ json: JSONObject) {
    for (name, specification) in Self.specifications {
      guard let value = json[name], !value.isNull else { continue }
      do throws(ExpressionProblems) {
        properties[name] = try StyleExpression(value: value, for: specification)
      } catch {
        problems.append("\"\(name)\" of the light of its style cannot be read: \(error.summary)")
      }
    }
  }

  private func value(_ name: String, _ context: EvaluationContext) -> StyleValue {
    // If an expression has no value, the light has its default.
    properties[name].flatMap { try? $0.value(context) } ?? .null
  }

  /// The lit colour of a roof, seen from straight above.
  func roof(_ color: RGBAColor, _ context: EvaluationContext) -> RGBAColor {
    let intensity = min(max(value("intensity", context).number ?? 0.5, 0), 1)
    let position = value("position", context).list?.compactMap(\.number) ?? []
    let (distance, polar) = position.count == 3 ? (position[0], position[2]) : (1.15, 30)
    let upright = min(max(distance * cos(polar * .pi / 180), 0), 1)
    let shares = [color.red, color.green, color.blue].map { Double($0) / 255 }
    // Bright colours are made brighter by less than dark ones.
    let brightness = 0.2126 * shares[0] + 0.7152 * shares[1] + 0.0722 * shares[2]
    let least = 1 - intensity
    let lit = least + (max(1 - brightness + intensity, 1) - least) * upright
    var light = StyleColor(1, 1, 1)
    if case .color(let color) = value("color", context) { light = color }
    func channel(_ share: Double, _ light: Double) -> Double {
      min(max((share + Self.ambient) * lit * light, 0.3 * (1 - light)), 1)
    }
    return RGBAColor(
      StyleColor(
        channel(shares[0], light.red), channel(shares[1], light.green),
        channel(shares[2], light.blue), Double(color.alpha) / 255))
  }
}
