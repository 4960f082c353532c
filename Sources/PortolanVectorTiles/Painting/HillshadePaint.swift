internal import Foundation
internal import PortolanDrawing
package import PortolanExpressions
package import PortolanGeometry
package import PortolanImages
internal import PortolanMap

/// How a layer of a style paints the light and shadow of hills from tiles of heights.
///
/// - SeeAlso: [Hillshade layers](https://maplibre.org/maplibre-style-spec/layers/#hillshade)
package struct HillshadePaint: TilePaint {
  /// The parts of a color from 0 to 1, red, green, blue and alpha, multiplied by the last.
  private typealias Parts = SIMD4<Double>

  /// Heights of pixels, and the size of those on the ground.
  private struct Heights {
    let width: Int
    let height: Int
    let values: [Float]

    /// The height beside a pixel; at the sides of the picture the ground continues as it came.
    func value(_ column: Int, _ row: Int, _ across: Int, _ down: Int) -> Double {
      let middle = Double(values[row * width + column])
      let (x, y) = (column + across, row + down)
      guard x >= 0, y >= 0, x < width, y < height else {
        let (x, y) = (column - across, row - down)
        guard x >= 0, y >= 0, x < width, y < height else { return middle }
        let opposite = Double(values[y * width + x])
        return opposite.isNaN ? middle : 2 * middle - opposite
      }
      let value = Double(values[y * width + x])
      return value.isNaN ? middle : value
    }
  }

  package let opacity = 1.0
  package let isSmooth = true
  package let joinsTiles = true

  private let encoding: ElevationEncoding
  /// The pixels across a tile.
  private let tileSide: Double
  /// The level from which on hills have their own height.
  private static let trueLevel = 15.0
  private let exaggeration: Double
  /// Where the light comes from, in radians, clockwise from the north.
  private let azimuth: Double
  private let shadow: Parts
  private let highlight: Parts
  private let accent: Parts

  /// Reads what a layer asks for.
  ///
  /// - Parameters:
  ///   - layer: The layer.
  ///   - encoding: How the tiles hold heights.
  ///   - tileSide: The pixels across a tile.
  ///   - rotation: By how much the map is turned, in degrees.
  ///   - context: What expressions ask about.
  package init(
    _ layer: StyleLayer, _ encoding: ElevationEncoding, tileSide: Double, rotation: Double,
    _ context: EvaluationContext
  ) {
    self.encoding = encoding
    self.tileSide = tileSide
    exaggeration = min(max(layer.number("hillshade-exaggeration", context, or: 0.5), 0), 1)
    let isOnMap = layer.text("hillshade-illumination-anchor", context, or: "viewport") == "map"
    let direction = layer.number("hillshade-illumination-direction", context, or: 335)
    azimuth = (direction + (isOnMap ? 0 : rotation)) * .pi / 180
    func color(_ name: String, or usual: RGBAColor) -> Parts {
      let color = layer.color("hillshade-\(name)-color", context, or: usual) ?? usual
      let alpha = Double(color.alpha) / 255
      return Parts(Double(color.red), Double(color.green), Double(color.blue), 255) / 255 * alpha
    }
    shadow = color("shadow", or: .black)
    highlight = color("highlight", or: .white)
    accent = color("accent", or: .black)
  }

  package func painted(_ image: PixelImage, over ground: Envelope) -> PixelImage {
    let heights = Heights(
      width: image.width, height: image.height, values: image.pixels.map(encoding.height))
    let pixel = ground.width / Double(image.width)
    let world = GeoJSONSource.world
    let zoom = log2(world / (pixel * tileSide))
    // Far out, hills would hardly be seen in their own height.
    let factor = zoom < 2 ? 0.4 : zoom < 4.5 ? 0.35 : 0.3
    let growth = exp2(max(Self.trueLevel - zoom, 0) * factor)
    let run = 8 * pixel
    var pixels: [UInt32] = []
    pixels.reserveCapacity(image.pixels.count)
    for row in 0..<image.height {
      let y = ground.yMax - (Double(row) + 0.5) * pixel
      // Pixels of Web Mercator cover less ground the farther they are from the equator.
      let stretch = cosh(y * 2 * .pi / world)
      for column in 0..<image.width {
        guard !heights.values[row * image.width + column].isNaN else {
          pixels.append(0)
          continue
        }
        let slope = Self.slope(heights, column, row) / run * growth
        pixels.append(color(slope.clamped(lowerBound: -.one, upperBound: .one), stretch))
      }
    }
    return PixelImage(width: image.width, height: image.height, pixels: pixels) ?? image
  }

  /// Eight times how much higher the next pixel is, to the right and down.
  private static func slope(_ heights: Heights, _ column: Int, _ row: Int) -> SIMD2<Double> {
    func at(_ across: Int, _ down: Int) -> Double { heights.value(column, row, across, down) }
    let corners = (at(1, 1) - at(-1, -1), at(1, -1) - at(-1, 1))
    return SIMD2(
      corners.0 + corners.1 + 2 * (at(1, 0) - at(-1, 0)),
      corners.0 - corners.1 + 2 * (at(0, 1) - at(0, -1)))
  }

  /// The color of ground with the given slope.
  private func color(_ rise: SIMD2<Double>, _ stretch: Double) -> UInt32 {
    let steepest = Double.pi / 2
    let slope = atan(1.25 * (rise.x * rise.x + rise.y * rise.y).squareRoot() * stretch)
    let aspect = rise.x == 0 ? (rise.y > 0 ? steepest : -steepest) : atan2(rise.y, -rise.x)
    let base = 1.875 - exaggeration * 1.75
    let scaled =
      exaggeration == 0.5
      ? slope : (pow(base, slope) - 1) / (pow(base, steepest) - 1) * steepest
    let strength = min(exaggeration * 2, 1)
    let accent = (1 - cos(scaled)) * strength * accent
    let turn = (aspect + azimuth + .pi) / .pi + 0.5
    let light = abs(turn - 2 * (turn / 2).rounded(.down) - 1)
    let shade = (shadow + (highlight - shadow) * light) * (sin(scaled) * strength)
    let parts =
      (accent * (1 - shade.w) + shade)
      .clamped(lowerBound: .zero, upperBound: .one) * 255
    func byte(_ part: Double) -> UInt32 { UInt32(part.rounded()) }
    return byte(parts.w) << 24 | byte(parts.x) << 16 | byte(parts.y) << 8 | byte(parts.z)
  }
}
