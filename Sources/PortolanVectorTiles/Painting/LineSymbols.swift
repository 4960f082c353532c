internal import PortolanGeometry

/// Collects the lines of tiles that symbols of a layer run along, and joins those of a tile that continue
/// in each other and say the same, for the data cuts streets into pieces.
package struct LineSymbols {
  /// A symbol along lines of a tile, with the look that some of their features give it.
  struct Look {
    var symbol: StyleSymbol
    var anchors: LineAnchors
    var isCentered: Bool
    /// The minimum distance of texts that are the same.
    var repeatDistance: Double
    var tile: TileFrame
  }

  /// A line in map coordinates, not cut at the tile.
  struct Line {
    /// Its number among the lines of all features: that of the first line that it was joined from.
    var number: Int
    /// The look of its symbols, that of the first of those lines too.
    var look: Int
    var coordinates: [Coordinate]
  }

  private(set) var looks: [Look] = []
  /// The lines of a tile whose symbols say the same, whatever they look like.
  private(set) var groups: [[Line]] = []
  /// The lines of a tile are fewer.
  private static let numbersOfTile = 1 << 32
  private var places: [String: Int] = [:]
  private var placesOfLooks: [String: Int] = [:]
  private var tile = 0
  private var count = 0

  package init() {}

  /// Lines that follow are of another tile.
  mutating func beginTile() { tile += 1 }

  /// Takes the lines of a feature down.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - key: What their symbols say.
  ///   - isLastFirst: Whether the lines of features have their turn before those of earlier ones of the tile.
  ///   - variant: What distinguishes the look of the symbols from that of others that say the same.
  ///   - look: Is called once for each look in a tile.
  mutating func add(
    _ lines: [[Coordinate]], key: String, isLastFirst: Bool, variant: String, look: () -> Look
  ) {
    let key = "\(tile) \(key)"
    let group = places[key] ?? groups.count
    if group == groups.count {
      groups.append([])
      places[key] = group
    }
    let keyOfLook = "\(key)\n\(variant)"
    let number = placesOfLooks[keyOfLook] ?? looks.count
    if number == looks.count {
      looks.append(look())
      placesOfLooks[keyOfLook] = number
    }
    let first = isLastFirst ? tile * Self.numbersOfTile - count - lines.count : count
    for (place, line) in zip(first..., lines) {
      groups[group].append(Line(number: place, look: number, coordinates: line))
    }
    count += lines.count
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
        chains.append(
          LineChain(number: line.number, look: line.look, first: index, last: index))
      }
    }
    return chains.compactMap { $0?.line(of: lines, next) }
  }
}

/// Lines of which each begins where the one before ends, by their places in a list.
private struct LineChain {
  let number: Int
  let look: Int
  var first: Int
  var last: Int

  func line(of lines: [LineSymbols.Line], _ next: [Int: Int]) -> LineSymbols.Line {
    var line = lines[first].coordinates
    var place = first
    while place != last, let following = next[place] {
      line += lines[following].coordinates.dropFirst()
      place = following
    }
    return LineSymbols.Line(number: number, look: look, coordinates: line)
  }
}
