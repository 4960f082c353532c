internal import Foundation
package import PortolanGeometry
package import PortolanImages

/// Densities on a grid that covers a picture and is as coarse as they change slowly.
///
/// A cell is some pixels wide and high; what lies between the middles of cells is mixed. The grid
/// begins at a place of the map, so that pictures side by side agree.
package struct DensityGrid: Sendable {
  /// The kernel that a point adds to the cells around its own.
  package struct Kernel: Sendable {
    /// The radius of the kernel, in cells around that of the point.
    let radius: Int
    /// Row by row.
    let shares: [Float]

    /// Creates a kernel from the share at the square of the distance in cells.
    package init(radius: Int, _ share: (Double) -> Float) {
      self.radius = radius
      shares = (-radius...radius).flatMap { row in
        (-radius...radius).map { share(Double(row * row + $0 * $0)) }
      }
    }

    /// The sum that a point adds to all cells together.
    package var sum: Double { shares.reduce(0) { $0 + Double($1) } }
  }

  /// The pixels along a cell.
  private let cell: Int
  private let width: Int
  private let height: Int
  private let pictureWidth: Int
  private let pictureHeight: Int
  /// The corner at which the grid begins, in pixels.
  private let corner: Coordinate
  private var densities: [Float]

  /// Empty cells.
  ///
  /// - Parameters:
  ///   - width: Of the picture, in pixels.
  ///   - height: Of the picture, in pixels.
  ///   - cell: The pixels along a cell.
  ///   - origin: Where the zero of the map falls, in pixels.
  package init(width: Int, height: Int, cell: Int, origin: Coordinate) {
    self.cell = cell
    (pictureWidth, pictureHeight) = (width, height)
    corner = Coordinate(
      x: Self.corner(origin.x, cell: cell), y: Self.corner(origin.y, cell: cell))
    // A cell more on each side, from which the picture's first and last pixels are mixed.
    self.width = width / cell + 4
    self.height = height / cell + 4
    densities = [Float](repeating: 0, count: self.width * self.height)
  }

  /// The last corner of a cell at least a cell before the picture.
  private static func corner(_ origin: Double, cell: Int) -> Double {
    let rest = origin.truncatingRemainder(dividingBy: Double(cell))
    return (rest > 0 ? rest - Double(cell) : rest) - Double(cell)
  }

  /// The greatest density of a cell.
  package var greatest: Float { densities.max() ?? 0 }

  /// Adds a point at a place of the picture or beside it.
  package mutating func add(_ point: Coordinate, _ kernel: Kernel, weight: Double) {
    let radius = kernel.radius
    let pixels = Double(cell)
    let place = Coordinate(
      x: ((point.x - corner.x) / pixels).rounded(.down),
      y: ((point.y - corner.y) / pixels).rounded(.down))
    guard weight.isFinite, abs(place.x) < 1e9, abs(place.y) < 1e9 else { return }
    let (column, row) = (Int(place.x), Int(place.y))
    let (left, right) = (max(column - radius, 0), min(column + radius + 1, width))
    let (top, bottom) = (max(row - radius, 0), min(row + radius + 1, height))
    guard left < right, top < bottom else { return }
    // Sums of absurd weights must stay numbers.
    let weight = Float(min(max(weight, -1e12), 1e12))
    let side = 2 * radius + 1
    for y in top..<bottom {
      let source = (y - row + radius) * side + left - column + radius
      let target = y * width + left
      for offset in 0..<(right - left) {
        densities[target + offset] += kernel.shares[source + offset] * weight
      }
    }
  }

  /// The densities as a picture: `low` has the first of 256 pixels and `high` the last.
  package func picture(_ colors: [UInt32], from low: Double, to high: Double) -> PixelImage? {
    guard colors.count == 256, high > low else { return nil }
    // Almost equal densities are distinguished as far as the precision allows.
    let factor = Float(min(255 / (high - low), 1e30))
    var pixels: [UInt32] = []
    pixels.reserveCapacity(pictureWidth * pictureHeight)
    for row in 0..<pictureHeight {
      for column in 0..<pictureWidth {
        let step = (density(column, row) - Float(low)) * factor
        pixels.append(colors[Int(min(max(step, 0), 255))])
      }
    }
    return PixelImage(width: pictureWidth, height: pictureHeight, pixels: pixels)
  }

  /// The density at a pixel, mixed of the four cells around it.
  @inline(__always)
  private func density(_ column: Int, _ row: Int) -> Float {
    if cell == 1 {
      return densities[(row + Int(0.5 - corner.y)) * width + column + Int(0.5 - corner.x)]
    }
    let x = (Double(column) + 0.5 - corner.x) / Double(cell) - 0.5
    let y = (Double(row) + 0.5 - corner.y) / Double(cell) - 0.5
    let (left, top) = (Int(x), Int(y))
    let (right, down) = (Float(x - Double(left)), Float(y - Double(top)))
    let place = top * width + left
    let upper = densities[place] + (densities[place + 1] - densities[place]) * right
    let (below, beside) = (densities[place + width], densities[place + width + 1])
    return upper + ((below + (beside - below) * right) - upper) * down
  }
}
