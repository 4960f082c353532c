package import PortolanGeometry
internal import PortolanMap

/// A signed distance field of a glyph: how far its pixels are from its edge, from 0 far outside to 255
/// far inside.
///
/// - SeeAlso: [Glyphs](https://maplibre.org/maplibre-style-spec/glyphs/)
package struct DistanceField: Hashable, Sendable {
  /// The distance that is just on the edge.
  package static let edge = 191.25
  /// The change of the stored distance per pixel of an em of 24.
  package static let slope = 255.0 / 8
  /// The clear pixels on each side that are kept around the distances, so that none is asked for in
  /// vain.
  static let margin = 2

  package let width: Int
  package let height: Int
  /// The corner of the distances from the pen at the top of the line, in pixels of an em of 24.
  package let corner: Coordinate
  /// Row by row with the clear pixels around them.
  let pixels: [UInt8]

  /// The pixels from row to row.
  var stride: Int { width + 2 * Self.margin }

  /// Distances row by row; `nil` if they are not as many as the sides tell, or none.
  package init?(width: Int, height: Int, corner: Coordinate, distances: [UInt8]) {
    guard width > 0, height > 0, distances.count == width * height else { return nil }
    self.width = width
    self.height = height
    self.corner = corner
    let stride = width + 2 * Self.margin
    var pixels = [UInt8](repeating: 0, count: stride * (height + 2 * Self.margin))
    for row in 0..<height {
      let start = (row + Self.margin) * stride + Self.margin
      pixels[start..<start + width] = distances[row * width..<(row + 1) * width]
    }
    self.pixels = pixels
  }

  /// The box in which distances are mixed, a pixel beyond them, where the others are clear.
  var reach: Envelope {
    Envelope(xMin: -1, yMin: -1, xMax: Double(width) + 1, yMax: Double(height) + 1)
  }

  /// A distance, or 0 for one of the clear pixels beside them.
  subscript(column: Int, row: Int) -> UInt8 {
    pixels[(row + Self.margin) * stride + column + Self.margin]
  }
}

/// Converts distances to coverage.
struct DistancePaint: Hashable, Sendable {
  var color: RGBAColor
  /// The distance at which half of a pixel is covered.
  var edge: Double
  /// The distance from there to the one at which nothing is covered, and to the one at which all
  /// is.
  var softness: Double
  /// The distance from which on less is covered again, under the glyph of a halo; `nil` for all of
  /// the inside.
  var hollow: Double?

  /// The share of a pixel that is covered.
  @inline(__always)
  func coverage(_ distance: Double) -> Double {
    let outer = share(distance - edge)
    guard let hollow else { return outer }
    return min(outer, 1 - share(distance - hollow - softness))
  }

  @inline(__always)
  private func share(_ depth: Double) -> Double {
    let share = min(max(depth / (2 * softness) + 0.5, 0), 1)
    return share * share * (3 - 2 * share)
  }
}
