internal import PortolanGeometry

/// Collects the lines that labels of a layer run along, and joins those that meet and say the same.
///
/// Tiles cut streets into pieces, and so does the data; a name finds room on the whole.
struct LineSymbols {
  /// A symbol and the lines that it is drawn along.
  struct Group {
    var symbol: StyleSymbol
    var spacing: Double
    var isCentered: Bool
    var runs: [[Coordinate]]
  }

  /// Where a line ends, in pixels: ends in the same place are one.
  private struct End: Hashable {
    let x: Int
    let y: Int

    init?(_ place: Coordinate) {
      guard let x = Int(exactly: place.x.rounded()), let y = Int(exactly: place.y.rounded()) else {
        return nil
      }
      (self.x, self.y) = (x, y)
    }
  }

  private(set) var groups: [Group] = []
  private var places: [String: Int] = [:]

  /// Takes the lines of a feature down; `group` is asked for once for each key.
  mutating func add(_ path: PixelPath, key: String, group: () -> Group) {
    let place = places[key] ?? groups.count
    if place == groups.count {
      groups.append(group())
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
