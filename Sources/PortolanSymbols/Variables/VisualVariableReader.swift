package import PortolanFeatures
internal import PortolanJSON
package import PortolanMap

/// Finds the changes that a feature's values make to its symbol.
package struct VisualVariableReader: Sendable {
  private enum Effect {
    case size(SizeVariable)
    case color(ColorRamp)
    case transparency(NumberRamp)
    case rotation(RendererRotation.Convention)
  }

  private var effects: [(effect: Effect, value: VariableValue)] = []
  /// The variables that cannot be taken into account, in clauses for people.
  package private(set) var problems: [String] = []

  package init(_ renderer: Renderer, _ scaling: SymbolScaling) {
    for variable in renderer.visualVariables.prefix(64) { add(variable, scaling) }
    addRotation(of: renderer.json)
  }

  private mutating func add(_ variable: VisualVariable, _ scaling: SymbolScaling) {
    let name = variable.json.text("type") ?? ""
    guard let effect = Self.effect(variable, scaling) else {
      return problems.append("the visual variable \"\(name)\" is left out")
    }
    guard let value = VariableValue(variable, viewScale: scaling.viewScale) else {
      return problems.append("the visual variable \"\(name)\" names no value")
    }
    if value.isUnderstood {
      effects.append((effect, value))
    } else {
      problems.append("a visual variable depends on Arcade that is not evaluated")
    }
  }

  /// `nil` for kinds that are not drawn, and without stops.
  private static func effect(_ variable: VisualVariable, _ scaling: SymbolScaling) -> Effect? {
    switch variable.kind {
    case .size: return SizeVariable(variable.json, scaling).map(Effect.size)
    case .color(let stops): return stops.isEmpty ? nil : .color(ColorRamp(stops))
    case .transparency(let stops):
      return stops.isEmpty
        ? nil : .transparency(NumberRamp(stops.map { ($0.value, $0.transparency) }))
    case .rotation(let convention):
      let axis = variable.json.text("axis") ?? "heading"
      return axis == "heading" ? .rotation(convention) : nil
    case .other: return nil
    }
  }

  /// The angle that older documents give beside the variables: a field, or an expression.
  private mutating func addRotation(of json: JSONObject) {
    guard let text = json.filledText("rotationExpression") else { return }
    let convention = json.text("rotationType").flatMap(RendererRotation.Convention.init)
    if let rotation = RendererRotation(json: json) {
      effects.append((.rotation(rotation.convention), .field(rotation.field, divisor: nil)))
      return
    }
    let arcade = text.replacing("[", with: "$feature[\"").replacing("]", with: "\"]")
    let expression = ArcadeExpression(text.contains("$") ? text : arcade)
    if expression.isUnderstood {
      effects.append((.rotation(convention ?? .geographic), .expression(expression, divisor: nil)))
    } else {
      problems.append("markers are not turned: their angle is an expression that is not evaluated")
    }
  }

  /// Whether no value changes anything.
  package var isEmpty: Bool { effects.isEmpty }

  /// The fields whose values are requested.
  package var fields: [String] { effects.flatMap(\.value.fields) }

  /// The variation of the symbol by the values of a feature.
  package func variation(for attributes: Attributes) -> SymbolVariation {
    var variation = SymbolVariation()
    for (effect, source) in effects {
      guard let value = source.number(for: attributes) else { continue }
      switch effect {
      case .size(let variable):
        let size = variable.pixels(for: value)
        if variable.isOfOutline { variation.outlineWidth = size } else { variation.size = size }
      case .color(let ramp): variation.color = ramp.color(at: value)
      case .transparency(let stops):
        variation.opacity = stops.number(at: value).map { 1 - $0 / 100 }
      case .rotation(let convention):
        variation.heading = convention == .geographic ? value : 90 - value
      }
    }
    return variation
  }
}
