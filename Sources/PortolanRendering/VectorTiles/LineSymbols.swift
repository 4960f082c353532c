internal import PortolanGeometry

/// Collects the lines of tiles that labels of a layer run along, and joins those of a tile that meet
/// and say the same, for the data cuts streets into pieces.
struct LineSymbols {
  /// A symbol and the lines of a tile that it is drawn along.
  struct Group {
    var symbol: StyleSymbol
    var anchors: LineAnchors
    var isCentered: Bool
    /// How far apart texts that say the same are kept.
    var repeatDistance: Double
    /// What tells the symbol from others, and from those of other tiles.
    var key: String
    /// The corners of the tile.
    var tile: PixelPath
    var runs: [[Coordinate]]

    /// Whether a place is on a side of the tile.
    func isOnSide(_ place: Coordinate?) -> Bool {
      guard let place else { return false }
      let corners = tile.points
      return corners.indices.contains { index in
        let (start, end) = (corners[index], corners[(index + 1) % corners.count])
        let (x, y) = (end.x - start.x, end.y - start.y)
        let length = (x * x + y * y).squareRoot()
        return length > 0
          && abs((place.x - start.x) * y - (place.y - start.y) * x) / length < 0.02
      }
    }
  }

  /// Where a line ends, in pixels: ends in the same place are one.
  private struct End: Hashable {
    let x: Int
    let y: Int

    init?(_ place: Coordinate) {
      // Halves go the same way on both sides of zero, for that is at another place in each picture.
      guard let x = Int(exactly: (place.x + 0.5).rounded(.down)),
        let y = Int(exactly: (place.y + 0.5).rounded(.down))
      else { return nil }
      (self.x, self.y) = (x, y)
    }
  }

  private(set) var groups: [Group] = []
  private var places: [String: Int] = [:]
  private var tile = 0

  /// Lines that follow are of another tile.
  mutating func beginTile() { tile += 1 }

  /// Takes the lines of a feature down; `group` is asked for once for each symbol of a tile.
  mutating func add(_ path: PixelPath, key: String, group: (String) -> Group) {
    let key = "\(tile) \(key)"
    let place = places[key] ?? groups.count
    if place == groups.count {
      groups.append(group(key))
      places[key] = place
    }
    groups[place].runs += path.runs.map(Array.init)
  }

  /// The lines of a group, joined where two and only two of them meet.
  static func joined(_ runs: [[Coordinate]]) -> [[Coordinate]] {
    var lines: [[Coordinate]?] = runs
    var ends: [End: [Int]] = [:]
    for (index, run) in runs.enumerated() {
      for end in [run.first, run.last] {
        if let end = end.flatMap(End.init) { ends[end, default: []].append(index) }
      }
    }
    // Where a line went when it was joined to another.
    var owner = Array(runs.indices)
    func current(_ index: Int) -> Int {
      var index = index
      while owner[index] != index { index = owner[index] }
      return index
    }
    for index in runs.indices {
      for end in [runs[index].first, runs[index].last] {
        guard let end = end.flatMap(End.init), let meeting = ends[end], meeting.count == 2 else {
          continue
        }
        let (first, second) = (current(meeting[0]), current(meeting[1]))
        guard first != second, let one = lines[first], let other = lines[second],
          let line = join(one, other, at: end)
        else { continue }
        lines[first] = line
        lines[second] = nil
        owner[second] = first
      }
    }
    return lines.compactMap(\.self)
  }

  private static func join(
    _ one: [Coordinate], _ other: [Coordinate], at end: End
  ) -> [Coordinate]? {
    func isEnd(_ place: Coordinate?) -> Bool { place.flatMap(End.init) == end }
    let first = isEnd(one.last) ? one : isEnd(one.first) ? one.reversed() : nil
    let second = isEnd(other.first) ? other : isEnd(other.last) ? other.reversed() : nil
    guard let first, let second else { return nil }
    return first + second.dropFirst()
  }
}
