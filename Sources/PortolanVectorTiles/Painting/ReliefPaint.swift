internal import PortolanDrawing
package import PortolanExpressions
package import PortolanGeometry
package import PortolanImages
internal import PortolanJSON

/// The painting of a style layer's color relief, by elevation, from elevation tiles.
///
/// - SeeAlso: [Color relief layers](https://maplibre.org/maplibre-style-spec/layers/#color-relief)
package struct ReliefPaint: TilePaint {
  /// The heights of a picture whose colors are worked out where the ramp has no stops; those between have
  /// the color of the nearest.
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
    let color: (Float) -> UInt32 =
      ramp.hasStops ? { ramp.pixel(at: Double($0)) } : sampled(heights)
    // A NaN is an unknown height.
    let pixels = heights.map { $0.isNaN ? 0 : color($0) }
    return PixelImage(width: image.width, height: image.height, pixels: pixels) ?? image
  }

  /// The colors of the heights of a picture, of which only some are worked out.
  private func sampled(_ heights: [Float]) -> (Float) -> UInt32 {
    let known = heights.lazy.filter { !$0.isNaN }
    let (lowest, highest) = (known.min() ?? 0, known.max() ?? 0)
    let step = (highest - lowest) / Float(Self.steps)
    let colors = (0...(step > 0 ? Self.steps : 0)).map {
      ramp.pixel(at: Double(lowest) + Double($0) * Double(step))
    }
    return { height in
      colors[step > 0 ? min(Int(((height - lowest) / step).rounded()), Self.steps) : 0]
    }
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

  /// Whether colors are mixed between stops, so that the color of any height is soon found.
  var hasStops: Bool { !stops.isEmpty }

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
    guard height < last.height else { return last.pixel }
    var (below, above) = (0, stops.count - 1)
    while above - below > 1 {
      let middle = (below + above) / 2
      if stops[middle].height > height { above = middle } else { below = middle }
    }
    let (low, high) = (stops[below], stops[above])
    let share = (height - low.height) / (high.height - low.height)
    return PixelImage.mixed(low.pixel, high.pixel, share)
  }
}
