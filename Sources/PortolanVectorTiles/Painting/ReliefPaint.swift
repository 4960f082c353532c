internal import PortolanDrawing
package import PortolanExpressions
package import PortolanGeometry
package import PortolanImages
internal import PortolanJSON

/// How a layer of a style colors ground by its height, from tiles of heights.
///
/// - SeeAlso: [Color relief layers](https://maplibre.org/maplibre-style-spec/layers/#color-relief)
package struct ReliefPaint: TilePaint {
  /// The heights of a picture whose colors are worked out; those between have the color of the
  /// nearest.
  private static let steps = 2048

  package let opacity: Double
  package let isSmooth: Bool
  package let joinsTiles = false
  package let readsHeights = true

  private let encoding: ElevationEncoding
  private let ramp: ReliefRamp

  /// Reads what a layer asks for; `encoding` is how its tiles hold heights.
  package init(
    _ layer: StyleLayer, _ encoding: ElevationEncoding, _ context: EvaluationContext
  ) {
    self.encoding = encoding
    ramp = ReliefRamp(layer, context)
    isSmooth = layer.isSmooth(context)
    // Without colors nothing is drawn.
    opacity =
      layer.has(StyleLayer.reliefColor)
      ? min(max(layer.number("color-relief-opacity", context, or: 1), 0), 1) : 0
  }

  package func painted(_ image: PixelImage, over ground: Envelope) -> PixelImage {
    let heights = image.pixels.map(encoding.height)
    // What is not a number is neither.
    let known = heights.lazy.filter { !$0.isNaN }
    let (lowest, highest) = (known.min() ?? 0, known.max() ?? 0)
    let step = (highest - lowest) / Float(Self.steps)
    let colors = (0...(step > 0 ? Self.steps : 0)).map {
      ramp.pixel(at: Double(lowest) + Double($0) * Double(step))
    }
    let pixels = heights.map { height -> UInt32 in
      guard !height.isNaN else { return 0 }
      return colors[step > 0 ? min(Int(((height - lowest) / step).rounded()), Self.steps) : 0]
    }
    return PixelImage(width: image.width, height: image.height, pixels: pixels) ?? image
  }
}

/// The colors of heights.
private struct ReliefRamp: Sendable {
  private let layer: StyleLayer
  private let zoom: Double
  private let globalState: JSONObject
  /// Heights with their colors, rising; none where colors between them are not mixed.
  private var stops: [(height: Double, pixel: UInt32)] = []

  init(_ layer: StyleLayer, _ context: EvaluationContext) {
    self.layer = layer
    zoom = context.zoom
    globalState = context.globalState
    stops = layer.stops(StyleLayer.reliefColor).map { ($0, value(at: $0)) }
  }

  private func value(at height: Double) -> UInt32 {
    var context = EvaluationContext(zoom: zoom)
    context.globalState = globalState
    context.elevation = height
    return layer.color(StyleLayer.reliefColor, context, or: nil)?.pixel ?? 0
  }

  /// The color at a height.
  ///
  /// As in MapLibre it goes straight on from stop to stop, and what is clear has no color of its own.
  func pixel(at height: Double) -> UInt32 {
    guard let first = stops.first, let last = stops.last else { return value(at: height) }
    guard height > first.height else { return first.pixel }
    guard let next = stops.firstIndex(where: { $0.height > height }) else { return last.pixel }
    let (low, high) = (stops[next - 1], stops[next])
    let share = (height - low.height) / (high.height - low.height)
    return PixelImage.mixed(low.pixel, high.pixel, share)
  }
}
