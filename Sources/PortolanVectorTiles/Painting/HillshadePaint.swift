internal import Foundation
internal import PortolanDrawing
package import PortolanExpressions
package import PortolanGeometry
package import PortolanImages
internal import PortolanMap

/// The painting of a style layer's hillshade from elevation tiles.
///
/// - SeeAlso: [Hillshade layers](https://maplibre.org/maplibre-style-spec/layers/#hillshade)
package struct HillshadePaint: TilePaint {
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
  package let isSmooth: Bool
  package let joinsTiles = true
  package let readsHeights = true

  private let encoding: ElevationEncoding
  /// The pixels across a tile.
  private let tileSide: Double
  /// The level from which on hills have their own height.
  private static let trueLevel = 15.0
  /// As in MapLibre steeper ground, one step up four times as high as it is wide, counts as this.
  private static let steepest = 4.0
  /// Further lights make no difference that is seen.
  private static let maximumLights = 16
  private let shading: HillShading

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
    isSmooth = layer.isSmooth(context)
    let method = layer.text("hillshade-method", context, or: "standard")
    let accent = layer.color("hillshade-accent-color", context, or: .black) ?? .black
    shading = HillShading(
      method: HillShading.Method(rawValue: method) ?? .standard,
      exaggeration: min(max(layer.number("hillshade-exaggeration", context, or: 0.5), 0), 1),
      lights: Self.lights(layer, rotation: rotation, context), accent: Self.parts(accent))
  }

  /// The lights of a layer; of a list that is shorter than the others the last one counts on.
  private static func lights(
    _ layer: StyleLayer, rotation: Double, _ context: EvaluationContext
  ) -> [HillLight] {
    let isOnMap = layer.text("hillshade-illumination-anchor", context, or: "viewport") == "map"
    let directions = layer.numbers("hillshade-illumination-direction", context)
    let altitudes = layer.numbers("hillshade-illumination-altitude", context)
    let highlights = layer.colors("hillshade-highlight-color", context).map(parts)
    let shadows = layer.colors("hillshade-shadow-color", context).map(parts)
    let count = [directions.count, altitudes.count, highlights.count, shadows.count].max() ?? 1
    return (0..<min(max(count, 1), maximumLights)).map { index in
      func element<T>(_ list: [T], or fallback: T) -> T {
        index < list.count ? list[index] : list.last ?? fallback
      }
      let direction = element(directions, or: 335) + (isOnMap ? 0 : rotation)
      return HillLight(
        azimuth: direction * .pi / 180, altitude: element(altitudes, or: 45) * .pi / 180,
        highlight: element(highlights, or: parts(.white)),
        shadow: element(shadows, or: parts(.black)))
    }
  }

  private static func parts(_ color: RGBAColor) -> HillLight.Parts {
    let alpha = Double(color.alpha) / 255
    return HillLight.Parts(Double(color.red), Double(color.green), Double(color.blue), 255) / 255
      * alpha
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
    let (least, greatest) = (
      SIMD2<Double>(repeating: -Self.steepest), SIMD2<Double>(repeating: Self.steepest)
    )
    for row in 0..<image.height {
      let stretch = stretch(row, below: ground.yMax, pixel: pixel)
      for column in 0..<image.width {
        guard !heights.values[row * image.width + column].isNaN else {
          pixels.append(0)
          continue
        }
        let rise = Self.slope(heights, column, row) / run * growth
        let color = shading.color(
          rise.clamped(lowerBound: least, upperBound: greatest) * stretch)
        pixels.append(Self.pixel(color))
      }
    }
    return PixelImage(width: image.width, height: image.height, pixels: pixels) ?? image
  }

  /// The factor by which the pixels of a row cover less ground than at the equator, in tiles that
  /// begin at a position of Web Mercator.
  ///
  /// As in MapLibre latitudes change evenly from the top of a tile to its foot.
  private func stretch(_ row: Int, below top: Double, pixel: Double) -> Double {
    let tile = (Double(row) / tileSide).rounded(.down)
    func latitude(_ tile: Double) -> Double {
      let y = top - tile * tileSide * pixel
      return atan(sinh(y * 2 * .pi / GeoJSONSource.world))
    }
    let (north, south) = (latitude(tile), latitude(tile + 1))
    let share = (Double(row) + 0.5) / tileSide - tile
    return 1 / cos(north + (south - north) * share)
  }

  /// Eight times how much higher the next pixel is, to the right and down.
  private static func slope(_ heights: Heights, _ column: Int, _ row: Int) -> SIMD2<Double> {
    func at(_ across: Int, _ down: Int) -> Double { heights.value(column, row, across, down) }
    let corners = (at(1, 1) - at(-1, -1), at(1, -1) - at(-1, 1))
    return SIMD2(
      corners.0 + corners.1 + 2 * (at(1, 0) - at(-1, 0)),
      corners.0 - corners.1 + 2 * (at(0, 1) - at(0, -1)))
  }

  private static func pixel(_ color: HillLight.Parts) -> UInt32 {
    let parts = color.clamped(lowerBound: .zero, upperBound: .one) * 255
    // Ground beyond the poles has no slope that is a number.
    func byte(_ part: Double) -> UInt32 { part.isNaN ? 0 : UInt32(part.rounded()) }
    return byte(parts.w) << 24 | byte(parts.x) << 16 | byte(parts.y) << 8 | byte(parts.z)
  }
}
