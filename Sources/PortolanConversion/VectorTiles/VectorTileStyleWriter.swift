public import PortolanGeometry
public import PortolanJSON
public import PortolanMap

/// Writes the renderers of layers as a style for vector tiles, version 8 of Mapbox.
///
/// Simple symbols, symbols by value of one field and by range of a number are carried over: colors,
/// widths, outlines and sizes. Pictures, hatches and expressions become the color that stands for
/// them, which is listed.
public struct VectorTileStyleWriter {
  /// The pixels of the web in a point of 1/72 inch.
  private static let pixelsPerPoint = 96.0 / 72

  private let source: String
  private var layers: [JSONValue] = []
  /// What the style does not say as the map does, in sentences.
  public private(set) var notes: [String] = []

  /// Begins a style whose layers draw a source of that name.
  public init(source: String) { self.source = source }

  /// The style; `url` is where its source is.
  public func json(sourceURL url: String, name: String) -> JSONValue {
    [
      "version": 8, "name": .string(name),
      "sources": .object(
        JSONObject([
          JSONObject.Member(name: source, value: ["type": "vector", "url": .string(url)])
        ])),
      "layers": .array(layers),
    ]
  }

  /// Adds the layers that draw a layer of the tiles; areas lie below lines, lines below points.
  public mutating func add(
    _ name: String, _ type: GeometryType, _ renderer: Renderer?
  ) {
    let fallback = Look(color: RGBAColor(red: 110, green: 125, blue: 140))
    func looks(_ read: (Look) -> JSONValue) -> JSONValue {
      value(of: renderer, fallback: fallback, read)
    }
    if let renderer, !Self.isCarried(renderer) {
      notes.append(
        "The style draws \"\(name)\" plainly, not as its \(renderer.type) renderer does.")
    }
    switch type {
    case .polygon, .envelope:
      add(name, "areas", "fill", ["fill-color": looks { $0.fillColor }])
      add(
        name, "outlines", "line",
        [
          "line-color": looks { $0.outlineColor }, "line-width": looks { $0.outlineWidth },
        ])
    case .polyline:
      add(
        name, "lines", "line",
        ["line-color": looks { .string($0.color.style) }, "line-width": looks { $0.lineWidth }])
    case .point, .multipoint:
      add(
        name, "points", "circle",
        [
          "circle-color": looks { $0.fillColor }, "circle-radius": looks { $0.radius },
          "circle-stroke-color": looks { $0.outlineColor },
          "circle-stroke-width": looks { $0.outlineWidth },
        ])
    }
  }

  private mutating func add(_ name: String, _ part: String, _ type: String, _ paint: JSONValue) {
    layers.append([
      "id": .string("\(name) \(part)"), "type": .string(type), "source": .string(source),
      "source-layer": .string(name), "paint": paint,
    ])
  }

  private static func isCarried(_ renderer: Renderer) -> Bool {
    switch renderer {
    case .simple: true
    case .uniqueValue(let renderer):
      renderer.valueExpression == nil && renderer.fields.count == 1
    case .classBreaks(let renderer):
      renderer.field != nil && renderer.valueExpression == nil && renderer.normalization == nil
    default: false
    }
  }

  /// A property as an expression that says what each symbol does.
  private func value(
    of renderer: Renderer?, fallback: Look, _ read: (Look) -> JSONValue
  ) -> JSONValue {
    switch renderer {
    case .simple(let renderer)?: return read(Look(renderer.symbol) ?? fallback)
    case .uniqueValue(let renderer)? where Self.isCarried(.uniqueValue(renderer)):
      var seen: Set<String> = []
      var cases: [JSONValue] = []
      for entry in renderer.groups.flatMap(\.classes) {
        let values = entry.values.compactMap(\.first).filter { seen.insert($0).inserted }
        guard !values.isEmpty else { continue }
        cases += [.array(values.map { .string($0) }), read(Look(entry.symbol) ?? fallback)]
      }
      let others = read(Look(renderer.defaultSymbol) ?? .nothing)
      guard !cases.isEmpty else { return others }
      // Documents write numbers as texts too.
      return .array(
        ["match", ["to-string", ["get", .string(renderer.fields[0])]]] + cases + [others])
    case .classBreaks(let renderer)? where Self.isCarried(.classBreaks(renderer)):
      guard let field = renderer.field, !renderer.classBreaks.isEmpty else {
        return read(fallback)
      }
      let others = read(Look(renderer.defaultSymbol) ?? .nothing)
      let number: JSONValue = ["to-number", ["get", .string(field)], -1e300]
      // The upper bound belongs to a class, the lower one to the class before.
      var cases: [JSONValue] = []
      if let minimum = renderer.minimum ?? renderer.classBreaks[0].minimum {
        cases += [["<", number, .number(minimum)], others]
      }
      for entry in renderer.classBreaks {
        cases += [["<=", number, .number(entry.maximum)], read(Look(entry.symbol) ?? fallback)]
      }
      return .array(["case"] + cases + [others])
    default:
      // What stands for most features stands for all.
      let first = renderer?.legendEntries.lazy.compactMap(\.symbol).first
      return read(Look(first) ?? fallback)
    }
  }

  /// What of a symbol styles can say.
  private struct Look {
    var color: RGBAColor
    var outline: (color: RGBAColor, width: Double)?
    var width = 1.0
    var size = 6.0

    static let nothing = Look(color: RGBAColor(red: 0, green: 0, blue: 0, alpha: 0))

    init(color: RGBAColor) { self.color = color }

    init?(_ symbol: Symbol?) {
      guard let symbol else { return nil }
      let clear = RGBAColor(red: 0, green: 0, blue: 0, alpha: 0)
      switch symbol {
      case .simpleMarker(let marker):
        color = marker.color ?? clear
        size = marker.size
        outline = Self.outline(marker.outline)
      case .simpleLine(let line):
        color = line.style == .none ? clear : line.color ?? clear
        width = line.width
      case .simpleFill(let fill):
        color = fill.style == .none ? clear : fill.color ?? clear
        outline = Self.outline(fill.outline)
      default:
        guard let color = symbol.color else { return nil }
        self.color = color
      }
    }

    private static func outline(_ line: SimpleLineSymbol?) -> (RGBAColor, Double)? {
      guard let line, line.style != .none, let color = line.color, line.width > 0 else {
        return nil
      }
      return (color, line.width)
    }

    var fillColor: JSONValue { .string(color.style) }
    var lineWidth: JSONValue { .number(max(width * pixelsPerPoint, 0.5)) }
    var radius: JSONValue { .number(max(size * pixelsPerPoint / 2, 0.5)) }
    var outlineColor: JSONValue { .string(outline?.color.style ?? "rgba(0,0,0,0)") }
    var outlineWidth: JSONValue { .number((outline?.width ?? 0) * pixelsPerPoint) }
  }
}

extension RGBAColor {
  /// The color as styles write it.
  fileprivate var style: String {
    alpha == 255
      ? "rgb(\(red),\(green),\(blue))"
      : "rgba(\(red),\(green),\(blue),\((Double(alpha) / 255 * 1000).rounded() / 1000))"
  }
}
