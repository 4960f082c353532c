internal import PortolanGeometry

/// Collects the lines of tiles that symbols of a layer run along, and joins those of a tile that continue
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

  /// A line in map coordinates, not cut at the tile.
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
