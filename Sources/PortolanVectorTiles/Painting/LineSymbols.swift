internal import Foundation
internal import PortolanDrawing
internal import PortolanGeometry

/// Collects the lines of tiles that symbols of a layer run along, and joins those of a tile that go on
/// in each other and say the same, for the data cuts streets into pieces.
package struct LineSymbols {
  /// A symbol and the lines of a tile that it is drawn along.
  struct Group {
    var symbol: StyleSymbol
    var anchors: LineAnchors
    var isCentered: Bool
    /// How far apart texts that say the same are kept.
    var repeatDistance: Double
    var tile: TileFrame
    var lines: [Line] = []
  }

  /// A line on the ground, not cut at the tile.
  struct Line {
    /// Its place among the lines of all features, which is that of the first of those that it was
    /// joined of.
    var number: Int
    var coordinates: [Coordinate]
  }

  private(set) var groups: [Group] = []
  private var places: [String: Int] = [:]
  private var tile = 0
  private var count = 0

  package init() {}

  /// Lines that follow are of another tile.
  mutating func beginTile() { tile += 1 }

  /// Takes the lines of a feature down; `group` is called once for each symbol of a tile.
  mutating func add(_ lines: [[Coordinate]], key: String, group: () -> Group) {
    let key = "\(tile) \(key)"
    let place = places[key] ?? groups.count
    if place == groups.count {
      groups.append(group())
      places[key] = place
    }
    for line in lines {
      groups[place].lines.append(Line(number: count, coordinates: line))
      count += 1
    }
  }

  /// Lines that begin where another ends become one with it.
  static func joined(_ lines: [Line]) -> [Line] {
    var chains: [LineChain?] = []
    var next: [Int: Int] = [:]
    var starts: [Coordinate: Int] = [:]
    var ends: [Coordinate: Int] = [:]
    for (index, line) in lines.enumerated() {
      guard let first = line.coordinates.first, let last = line.coordinates.last else { continue }
      let (before, after) = (ends[first], starts[last])
      if let before, let chain = chains[before] {
        ends[first] = nil
        next[chain.last] = index
        chains[before]?.last = index
        if let after, after != before, let rest = chains[after] {
          starts[last] = nil
          next[index] = rest.first
          chains[before]?.last = rest.last
          chains[after] = nil
          if let end = lines[rest.last].coordinates.last { ends[end] = before }
        } else {
          ends[last] = before
        }
      } else if let after, let rest = chains[after] {
        starts[last] = nil
        next[index] = rest.first
        chains[after]?.first = index
        starts[first] = after
      } else {
        starts[first] = chains.count
        ends[last] = chains.count
        chains.append(LineChain(number: line.number, first: index, last: index))
      }
    }
    return chains.compactMap { $0?.line(of: lines, next) }
  }
}

/// Lines of which each begins where the one before ends, by their places in a list.
private struct LineChain {
  let number: Int
  var first: Int
  var last: Int

  func line(of lines: [LineSymbols.Line], _ next: [Int: Int]) -> LineSymbols.Line {
    var line = lines[first].coordinates
    var place = first
    while place != last, let following = next[place] {
      line += lines[following].coordinates.dropFirst()
      place = following
    }
    return LineSymbols.Line(number: number, coordinates: line)
  }
}

/// A tile and how its ground comes onto the picture.
struct TileFrame {
  private let placed: PlacedVectorTile
  private let toMap: Projection
  private let projection: PixelProjection
  /// On the picture.
  let corners: PixelPath

  init(
    _ placed: PlacedVectorTile, _ toMap: Projection, _ projection: PixelProjection,
    corners: PixelPath
  ) {
    self.placed = placed
    self.toMap = toMap
    self.projection = projection
    self.corners = corners
  }

  /// The parts of a line on the ground that the tile is drawn on, on the picture; or all of it.
  func runs(of line: [Coordinate], isWhole: Bool) -> [[Coordinate]] {
    let line = Geometry.polyline(Polyline(paths: [Path(line)]))
    let part = isWhole ? line : placed.clipped(line)
    // A part that has no place on the map is not seen either.
    guard let onMap = toMap.isIdentity ? part : try? toMap.project(part),
      case .lines(let path)? = projection.project(onMap)
    else { return [] }
    return path.runs.map(Array.init)
  }

  /// Whether a place on the picture is on a side of the tile.
  func isOnSide(_ place: Coordinate?) -> Bool {
    guard let place else { return false }
    let corners = corners.points
    return corners.indices.contains { index in
      let (start, end) = (corners[index], corners[(index + 1) % corners.count])
      let (x, y) = (end.x - start.x, end.y - start.y)
      let length = (x * x + y * y).squareRoot()
      return length > 0
        && abs((place.x - start.x) * y - (place.y - start.y) * x) / length < 0.02
    }
  }

  /// Whether a place on the picture is in the tile.
  func contains(_ place: Coordinate) -> Bool { corners.holds(place) }

  /// How much larger the picture is than at the last whole zoom, and how many times larger than
  /// meant the tile is drawn there; `ratio` is the pixels along one of the style.
  func growth(ratio: Double) -> (growth: Double, overscaling: Double) {
    let corners = corners.points
    guard corners.count > 1 else { return (1, 1) }
    let side = PixelPath.distance(corners[0], corners[1])
    let zooms = log2(max(side, 1) / (512 * ratio))
    // Scales are rounded in the sixth digit: what is so near a whole zoom is that.
    let whole = max((zooms + 1e-4).rounded(.down), 0)
    return (exp2(zooms - whole), exp2(whole))
  }
}

extension PixelPath {
  /// Whether a place is inside of the corners of a tile, or on a side, however the map is turned.
  func holds(_ place: Coordinate) -> Bool {
    let sides = points.indices.map { index in
      let (start, end) = (points[index], points[(index + 1) % points.count])
      return (end.x - start.x) * (place.y - start.y) - (end.y - start.y) * (place.x - start.x)
    }
    return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
  }
}
