internal import PortolanDrawing
internal import PortolanExpressions
internal import PortolanGeometry

extension StylePainter {
  /// The distance between the top of a line and its letters, which offsets of anchors do not count,
  /// in shares of the size.
  private static let baselineOffset = 7.0 / 24

  /// Whether a layer gives its text several places to choose among, which only text at points has.
  func choosesAnchor(_ layer: StyleLayer, _ context: EvaluationContext) -> Bool {
    guard !isAlong(layer, context) else { return false }
    if layer.value("text-variable-anchor", context).list?.isEmpty == false { return true }
    guard case .anchorOffsets(let places) = layer.value("text-variable-anchor-offset", context)
    else { return false }
    return !places.isEmpty
  }

  /// The places of a text that a layer allows, the first first.
  func anchors(_ layer: StyleLayer, _ context: EvaluationContext) -> [StyleText.Anchor] {
    let size = min(max(layer.number("text-size", context, or: 16), 1), 500) * ratio
    let justify = layer.text("text-justify", context, or: "center")
    var names: [String] = []
    var pairs: [AnchorOffset] = []
    if !isAlong(layer, context) {
      names = layer.value("text-variable-anchor", context).list?.map(\.text) ?? []
      if case .anchorOffsets(let places) = layer.value("text-variable-anchor-offset", context) {
        pairs = places
      }
    }
    var anchors: [(name: String, offset: Coordinate)] = []
    if !pairs.isEmpty {
      anchors = pairs.map { pair in
        let (offset, share) = (Self.point([pair.x, pair.y]), Self.share(pair.anchor))
        let up = Self.baselineOffset * (1 - 2 * share.y)
        return (pair.anchor, Coordinate(x: offset.x, y: offset.y - up))
      }
    } else {
      // Texts with one anchor take the other offset where the radial one is nothing.
      let radial = layer.number("text-radial-offset", context, or: 0)
      let isRadial = names.isEmpty ? radial > 0 : layer.has("text-radial-offset")
      let radius = isRadial ? radial : nil
      let offset = Self.point(layer.numbers("text-offset", context))
      anchors =
        names.isEmpty
        ? [layer.text("text-anchor", context, or: "center")].map { name in
          (name, radius.map { Self.radial(name, $0) } ?? offset)
        }
        : names.map { name in
          (name, radius.map { Self.radial(name, $0) } ?? Self.variable(name, offset))
        }
    }
    return anchors.prefix(9).map { name, offset in
      let share = Self.share(name)
      return StyleText.Anchor(
        share: share, offset: Coordinate(x: offset.x * size, y: offset.y * size),
        alignment: Self.alignment(justify, share))
    }
  }

  /// Two numbers as a place; what is too far is nearer.
  static func point(_ numbers: [Double], limit: Double = 1000) -> Coordinate {
    let near = numbers.map { min(max($0, -limit), limit) }
    return Coordinate(x: near.first ?? 0, y: near.dropFirst().first ?? 0)
  }

  /// The part of a text or icon that is at its point.
  static func share(_ name: String) -> Coordinate {
    Coordinate(
      x: name.contains("left") ? 0 : name.contains("right") ? 1 : 0.5,
      y: name.contains("top") ? 0 : name.contains("bottom") ? 1 : 0.5)
  }

  private static func alignment(_ justify: String, _ share: Coordinate) -> TextStyle.Alignment {
    switch justify {
    case "left": .left
    case "right": .right
    case "auto": share.x == 0 ? .left : share.x == 1 ? .right : .center
    default: .center
    }
  }

  /// The offset that moves a text away from its point by a distance.
  private static func radial(_ name: String, _ distance: Double) -> Coordinate {
    let distance = min(max(distance, 0), 1000)
    let share = share(name)
    let isDiagonal = share.x != 0.5 && share.y != 0.5
    return variable(
      name,
      isDiagonal
        ? Coordinate(x: distance / 2.0.squareRoot(), y: distance / 2.0.squareRoot())
        : Coordinate(x: distance, y: distance))
  }

  /// Offsets of anchors that are chosen among lead away from the point.
  private static func variable(_ name: String, _ offset: Coordinate) -> Coordinate {
    let share = share(name)
    let down = abs(offset.y) - baselineOffset
    return Coordinate(
      x: share.x == 0.5 ? 0 : share.x == 0 ? abs(offset.x) : -abs(offset.x),
      y: share.y == 0.5 ? 0 : share.y == 0 ? down : -down)
  }
}
