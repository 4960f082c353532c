internal import PortolanDrawing
package import PortolanExpressions
internal import PortolanJSON
internal import PortolanMap

/// A layer of a style: which features it draws, and how.
package struct StyleLayer: Sendable {
  package enum Kind: String, Sendable {
    case background, fill, line, symbol, circle, raster, heatmap, hillshade
    case fillExtrusion = "fill-extrusion"
    case colorRelief = "color-relief"

    /// Whether it draws tiles that are pictures.
    package var drawsPictures: Bool { [.raster, .hillshade, .colorRelief].contains(self) }
  }

  let id: String
  package let kind: Kind
  /// The source that it draws; empty for backgrounds.
  package let source: String
  /// The layer of the tiles that it draws; empty for backgrounds.
  let sourceLayer: String
  /// Zooms at which it is drawn: from the first, which belongs to it, to the second.
  package let zooms: Range<Double>
  let filter: StyleFilter?
  private var properties: [String: Property] = [:]
  /// The properties whose expressions ask about features, and those that ask about the zoom.
  private var varying: (byFeature: Set<String>, byZoom: Set<String>) = ([], [])
  /// Whether its texts may have letters that neither the style nor the properties it names have.
  private(set) var composesTexts = false
  /// The parts of the layer that are not understood or not followed, in clauses for people.
  private(set) var problems: [String] = []

  private enum Property: Sendable {
    case constant(StyleValue)
    case expression(StyleExpression)
    /// An expression of the size of symbols, whose values are mixed of those at the stops around.
    case sized(StyleExpression)
    /// An expression that has the value of the last whole zoom at all zooms up to the next.
    case stepped(StyleExpression)
    /// An expression of the feature and the zoom, whose values are mixed of those at whole zooms.
    case mixed(StyleExpression)

    init(_ expression: StyleExpression, isLayout: Bool) {
      if expression.isZoomConstant {
        self = .expression(expression)
      } else if isLayout {
        self = .stepped(expression)
      } else {
        self = expression.isFeatureConstant ? .expression(expression) : .mixed(expression)
      }
    }
  }

  /// The layout properties that may change smoothly between whole zooms; all others are laid out
  /// once for a tile.
  private static let steadyLayout: Set<String> = ["text-size", "icon-size"]
  /// The paint properties that fade from a value to the next when the map passes a whole zoom, and
  /// have the value of the last one at rest.
  private static let faded: Set<String> = [
    "line-dasharray", "background-pattern", "fill-pattern", "line-pattern",
    "fill-extrusion-pattern",
  ]

  /// Reads a layer; `nil` if it is hidden, and `nil` with a problem if it cannot be drawn: for its
  /// kind, or for a filter or color that cannot be read, without which it would show what it must
  /// not.
  init?(_ json: JSONObject, problem: inout String?) {
    id = json.text("id") ?? ""
    let type = json.text("type") ?? ""
    guard json.object("layout")?.text("visibility") != "none" else { return nil }
    guard let kind = Kind(rawValue: type) else {
      problem = "layers of the kind \"\(type.prefix(40))\" of its style are not drawn"
      return nil
    }
    self.kind = kind
    source = json.text("source") ?? ""
    sourceLayer = json.text("source-layer") ?? ""
    let least = json.number("minzoom") ?? -.infinity
    zooms = least..<max(json.number("maxzoom") ?? .infinity, least)
    do throws(ExpressionProblems) {
      filter = try json["filter"].flatMap { value throws(ExpressionProblems) in
        value.isNull ? nil : try StyleFilter(value)
      }
    } catch {
      problem =
        "the layer \"\(id.prefix(60))\" of its style is left out, for its filter cannot be read: "
        + error.summary
      return nil
    }
    guard let reason = readProperties(json) else { return }
    problem = reason
    return nil
  }

  /// Reads what the layer says about its look; the reason if the layer must be left out.
  private mutating func readProperties(_ json: JSONObject) -> String? {
    let visibility = json.object("layout")?["visibility"] ?? .null
    if !visibility.isNull, visibility.string != "visible" {
      problems.append(
        "the \"visibility\" of the layer \"\(id.prefix(60))\" of its style is neither \"visible\" "
          + "nor \"none\"")
    }
    for group in ["layout", "paint"] {
      if let value = json[group], !value.isNull, value.object == nil {
        problems.append(
          "the \"\(group)\" of the layer \"\(id.prefix(60))\" of its style is no object")
      }
      for (name, value) in json.object(group)?.members.map({ ($0.name, $0.value) }) ?? []
      where !value.isNull {
        switch StyleProperty(name, of: kind) {
        case .withoutEffect: continue
        case .told(let reason): problems.append(reason)
        case .drawn:
          if let reason = read(name, value, group) { return reason }
        }
      }
    }
    return nil
  }

  private mutating func read(_ name: String, _ value: JSONValue, _ group: String) -> String? {
    let specification = StylePropertySpecifications.specification(name)
    do throws(ExpressionProblems) {
      let expression = try StyleExpression(value: value, for: specification)
      if let unknown = specification.unknownChoice(of: expression) {
        let choices = (specification.choices ?? []).sorted().joined(separator: ", ")
        problems.append(
          "\"\(name)\" of its style cannot be read: \"\(unknown.prefix(60))\" is none of "
            + "\(choices).")
        // At other zooms the value may be known.
        guard !expression.isZoomConstant else { return nil }
      }
      if !expression.isFeatureConstant { varying.byFeature.insert(name) }
      if !expression.isZoomConstant { varying.byZoom.insert(name) }
      properties[name] =
        Self.steadyLayout.contains(name) && !expression.changesInSteps
        ? .sized(expression)
        : Property(expression, isLayout: group == "layout" || Self.faded.contains(name))
    } catch {
      let isColor = [.color, .colorArray].contains(specification.kind)
      guard !isColor, !Self.asksAboutFeatures(value, against: specification) else {
        return "the layer \"\(id.prefix(60))\" of its style is left out, for its \"\(name)\" "
          + "cannot be read: \(error.summary)"
      }
      problems.append("\"\(name)\" of its style cannot be read: \(error.summary)")
    }
    if name == "text-transform" || (name == "text-field" && value.composesTexts) {
      composesTexts = true
    }
    if value.mentions("feature-state") {
      problems.append("\"feature-state\" in \"\(name)\" of its style has no value in pictures")
    }
    return nil
  }

  /// Whether features say what is to be the same for a whole layer, which MapLibre does not draw then.
  private static func asksAboutFeatures(
    _ value: JSONValue, against specification: PropertySpecification
  ) -> Bool {
    guard !specification.allowsFeatures else { return false }
    var specification = specification
    specification.allowsFeatures = true
    // An expression that cannot be read in any case depends on nothing.
    let expression = try? StyleExpression(value: value, for: specification)
    return expression.map { !$0.isFeatureConstant } ?? false
  }

  /// The name under which a resolved layer has its width at the last whole zoom.
  static let wholeZoomWidth = "line-width at whole zoom"

  /// The zoom whose size of text decides how many symbols have room along a line, where features say
  /// how large it is.
  private static let zoomOfLargestText = 18.0

  /// The names under which a resolved layer has sizes of symbols as they are laid out.
  private static let layoutSizes = [
    "text-size": "text-size of the layout", "icon-size": "icon-size of the layout",
  ]

  /// A size of symbols as tiles are laid out with it.
  ///
  /// As in MapLibre Native that is the size at the last whole zoom, and where features say how large
  /// it is the one at the next.
  func layoutSize(_ name: String, _ context: EvaluationContext, or fallback: Double) -> Double {
    if let resolved = Self.layoutSizes[name], has(resolved) {
      return number(resolved, context, or: fallback)
    }
    return exactSize(name, context.atNextWholeZoom, or: fallback)
  }

  /// A size of symbols as its expression says it, whatever stops tiles keep it for.
  private func exactSize(
    _ name: String, _ context: EvaluationContext, or fallback: Double
  ) -> Double {
    guard case .sized(let size)? = properties[name] else {
      return number(name, context, or: fallback)
    }
    guard let number = Self.value(size, context).number, number.isFinite else { return fallback }
    return number
  }

  /// The size of text for which lines must have room.
  func largestTextSize(_ context: EvaluationContext, or fallback: Double) -> Double {
    if let resolved = Self.layoutSizes["text-size"], has(resolved) {
      return number(resolved, context, or: fallback)
    }
    var largest = context
    largest.zoom = Self.zoomOfLargestText
    return exactSize("text-size", largest, or: fallback)
  }

  /// The property with a colour for each density, which has none before densities are known.
  static let heatmapColor = "heatmap-color"
  /// The property with a colour for each place along a line.
  static let lineGradient = "line-gradient"
  /// The property with a colour for each height.
  static let reliefColor = "color-relief-color"
  /// The properties that have values only where more than the zoom and the feature is known.
  private static let ramps: Set<String> = [heatmapColor, lineGradient, reliefColor]

  /// The layer with the values that are the same for all features worked out.
  package func resolved(_ context: EvaluationContext) -> StyleLayer {
    var layer = self
    if case .expression(let width)? = properties["line-width"], width.isFeatureConstant {
      layer.properties[Self.wholeZoomWidth] = .constant(Self.value(width, context.atWholeZoom))
    }
    for (name, resolved) in Self.layoutSizes {
      switch properties[name] {
      case .sized(let size)? where size.isFeatureConstant,
        .stepped(let size)? where size.isFeatureConstant:
        layer.properties[resolved] = .constant(Self.value(size, context.atWholeZoom))
      default: continue
      }
    }
    for (name, property) in properties where !Self.ramps.contains(name) {
      switch property {
      case .expression(let expression) where expression.isFeatureConstant,
        .sized(let expression) where expression.isFeatureConstant,
        .stepped(let expression) where expression.isFeatureConstant:
        layer.properties[name] = .constant(value(name, context))
      default: continue
      }
    }
    return layer
  }

  private static func value(
    _ expression: StyleExpression, _ context: EvaluationContext
  ) -> StyleValue {
    // If an expression has no value, the property has its default.
    (try? expression.value(context)) ?? .null
  }

  /// Whether the value of a property may differ by feature.
  func variesByFeature(_ name: String) -> Bool { varying.byFeature.contains(name) }

  /// The text that distinguishes the look of a feature's symbols from that of others of the layer
  /// with the same text.
  func symbolVariant(_ context: EvaluationContext) -> String {
    varying.byFeature.subtracting(Self.saidBySymbols).sorted().map {
      "\(value($0, context))"
    }.joined(separator: "\n")
  }

  /// The properties whose values are the content of symbols, and the order of features, which is
  /// not visible on them.
  private static let saidBySymbols: Set<String> = ["text-field", "icon-image", "symbol-sort-key"]

  /// Whether the value of a property may differ by zoom.
  func variesByZoom(_ name: String) -> Bool { varying.byZoom.contains(name) }

  /// Whether the style says anything of a property.
  func has(_ name: String) -> Bool { properties[name] != nil }

  /// The inputs for which the curve that a property is names values; none for other properties.
  func stops(_ name: String) -> [Double] {
    guard case .expression(let expression) = properties[name] else { return [] }
    return expression.stops ?? []
  }

  func value(_ name: String, _ context: EvaluationContext) -> StyleValue {
    switch properties[name] {
    case .constant(let value): value
    case .expression(let expression): Self.value(expression, context)
    // Where an expression has no value, the property has its default.
    case .sized(let expression): (try? expression.valueBetweenEnclosingStops(context)) ?? .null
    case .stepped(let expression): Self.value(expression, context.atWholeZoom)
    // If an expression has no value, the property has its default.
    case .mixed(let expression): (try? expression.valueBetweenWholeZooms(context)) ?? .null
    case nil: .null
    }
  }

  func number(_ name: String, _ context: EvaluationContext, or fallback: Double) -> Double {
    guard let number = value(name, context).number, number.isFinite else { return fallback }
    return number
  }

  func text(_ name: String, _ context: EvaluationContext, or fallback: String) -> String {
    let text = value(name, context).text
    guard !text.isEmpty else { return fallback }
    // A value that is no choice counts as none.
    let choices = StylePropertySpecifications.specification(name).choices
    return choices?.contains(text) ?? true ? text : fallback
  }

  func flag(_ name: String, _ context: EvaluationContext) -> Bool { value(name, context).isTrue }

  func color(
    _ name: String, _ context: EvaluationContext, or fallback: RGBAColor?
  ) -> RGBAColor? {
    if case .color(let color) = value(name, context) { RGBAColor(color) } else { fallback }
  }

  /// A colour with an opacity of its own property.
  func color(
    _ name: String, opacity: String, _ context: EvaluationContext, or fallback: RGBAColor?
  ) -> RGBAColor? {
    color(name, context, or: fallback)?.faded(number(opacity, context, or: 1))
  }

  func numbers(_ name: String, _ context: EvaluationContext) -> [Double] {
    switch value(name, context) {
    case .list(let elements): elements.compactMap(\.number).filter(\.isFinite)
    case .padding(let sides): sides.filter(\.isFinite)
    case .numberArray(let numbers): numbers.filter(\.isFinite)
    default: []
    }
  }

  /// The colours of a property that has one or several.
  func colors(_ name: String, _ context: EvaluationContext) -> [RGBAColor] {
    guard case .colorArray(let colors) = value(name, context) else { return [] }
    return colors.map { RGBAColor($0) }
  }
}

extension EvaluationContext {
  /// The same at the last whole zoom, at which tiles are laid out and their features chosen.
  var atWholeZoom: EvaluationContext {
    var context = self
    context.zoom = zoom.rounded(.down)
    return context
  }

  /// The same at the next whole zoom.
  ///
  /// Scales are rounded in the sixth digit: what is so near a whole zoom is that.
  var atNextWholeZoom: EvaluationContext {
    var context = self
    context.zoom = (zoom + 1e-4).rounded(.down) + 1
    return context
  }
}

extension JSONValue {
  /// Whether the value contains an expression of that name.
  fileprivate func mentions(_ name: String) -> Bool {
    guard let array else { return false }
    return array.first?.string == name || array.contains { $0.mentions(name) }
  }

  /// Whether the letters of the text that an expression is may be others than those of the expression and
  /// of the properties that it names.
  fileprivate var composesTexts: Bool {
    guard let array else { return object?.members.contains { $0.value.composesTexts } ?? false }
    switch array.first?.string {
    case "number-format", "upcase", "downcase", "id", "properties", "global-state": return true
    // A name that is worked out.
    case "get" where array.count > 1 && array[1].string == nil: return true
    default: return array.contains(where: \.composesTexts)
    }
  }
}
