internal import Foundation
internal import PortolanDrawing
package import PortolanExpressions
package import PortolanGeometry
package import PortolanImages

/// The painting of a style layer's raster tiles.
///
/// - SeeAlso: [Raster layers](https://maplibre.org/maplibre-style-spec/layers/#raster)
package struct RasterPaint: TilePaint {
  package let opacity: Double
  package let isSmooth: Bool
  package let joinsTiles = false
  package let readsHeights = false
  /// The change of the colours; `nil` if they stay.
  let colors: ColorMatrix?

  package init(_ layer: StyleLayer, _ context: EvaluationContext) {
    func share(_ name: String, from least: Double, or fallback: Double) -> Double {
      min(max(layer.number(name, context, or: fallback), least), 1)
    }
    opacity = share("raster-opacity", from: 0, or: 1)
    isSmooth = layer.isSmooth(context)
    let hue = layer.number("raster-hue-rotate", context, or: 0)
    let saturation = share("raster-saturation", from: -1, or: 0)
    let contrast = share("raster-contrast", from: -1, or: 0)
    let darkest = share("raster-brightness-min", from: 0, or: 0)
    let brightest = share("raster-brightness-max", from: 0, or: 1)
    guard (hue, saturation, contrast, darkest, brightest) != (0, 0, 0, 0, 1) else {
      colors = nil
      return
    }
    colors = ColorMatrix(hue: hue)
      .followed(by: ColorMatrix(awayFromMean: Self.saturating(saturation)))
      .followed(by: Self.contrasting(contrast))
      .followed(by: ColorMatrix(factor: brightest - darkest, offset: darkest))
  }

  /// The factor by which the parts of a colour move from their mean; almost without end at 1.
  private static func saturating(_ saturation: Double) -> Double {
    saturation > 0 ? 1 / (1.001 - saturation) : 1 + saturation
  }

  private static func contrasting(_ contrast: Double) -> ColorMatrix {
    // At 1 every part is black or full.
    let factor = contrast > 0 ? 1 / max(1 - contrast, 1e-3) : 1 + contrast
    return ColorMatrix(factor: factor, offset: 0.5 - 0.5 * factor)
  }

  package func painted(_ image: PixelImage, over ground: Envelope) -> PixelImage {
    colors.map(image.recolored) ?? image
  }
}

extension StyleLayer {
  /// Whether pixels of its pictures that are enlarged run into each other.
  func isSmooth(_ context: EvaluationContext) -> Bool {
    // Older styles have another name for it, of layers of the kind raster only.
    let name = has("resampling") ? "resampling" : "raster-resampling"
    return text(name, context, or: "linear") != "nearest"
  }
}

extension ColorMatrix {
  /// Turns colours around the grey axis, by degrees.
  fileprivate init(hue angle: Double) {
    let radians = angle.truncatingRemainder(dividingBy: 360) * .pi / 180
    let same = (2 * cos(radians) + 1) / 3
    let (next, last) = (
      (1 - cos(radians) - 3.0.squareRoot() * sin(radians)) / 3,
      (1 - cos(radians) + 3.0.squareRoot() * sin(radians)) / 3
    )
    self.init(rows: [[same, next, last, 0], [last, same, next, 0], [next, last, same, 0]])
  }

  /// Brings the parts of a colour away from their mean, or nearer.
  fileprivate init(awayFromMean factor: Double) {
    let mean = (1 - factor) / 3
    self.init(rows: [
      [mean + factor, mean, mean, 0], [mean, mean + factor, mean, 0],
      [mean, mean, mean + factor, 0],
    ])
  }

  /// Multiplies all parts, and adds to them.
  fileprivate init(factor: Double, offset: Double) {
    self.init(rows: [[factor, 0, 0, offset], [0, factor, 0, offset], [0, 0, factor, offset]])
  }
}
