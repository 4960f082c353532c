internal import PortolanGeometry
internal import PortolanTiles

extension RegionShape {
  /// Some tiles of a level, each as likely as any other and none twice, in order.
  ///
  /// - Parameters:
  ///   - size: How many are wanted; where the level has no more, all are taken.
  ///   - count: How many tiles the level has.
  ///   - level: The level.
  ///   - numbers: Which ones.
  /// - Returns: The tiles; of a box in constant time for each, else in the time of its rows.
  func sample(
    of size: Int, among count: Int, level: Int, _ numbers: inout SplitMix64
  ) -> [TileID] {
    guard let rows = rows(level: level), count > 0 else { return [] }
    var places = count <= size ? Set(0..<count) : []
    while places.count < min(size, count) {
      places.insert(Int.random(in: 0..<count, using: &numbers))
    }
    return tiles(places.sorted(), of: rows, level: level)
  }

  /// The tiles of a level that have these numbers, counted row by row.
  private func tiles(_ places: [Int], of rows: Range<Int>, level: Int) -> [TileID] {
    if isBox {
      let columns = columns(level: level, row: rows.lowerBound)
      let width = columns.reduce(0) { $0 + $1.count }
      return places.map { place in
        TileID(
          level: level, row: rows.lowerBound + place / width,
          column: Self.column(place % width, of: columns))
      }
    }
    var tiles: [TileID] = []
    var (rest, before) = (places[...], 0)
    for row in rows where !rest.isEmpty {
      let columns = columns(level: level, row: row)
      let next = before + columns.reduce(0) { $0 + $1.count }
      while let place = rest.first, place < next {
        tiles.append(
          TileID(level: level, row: row, column: Self.column(place - before, of: columns)))
        rest.removeFirst()
      }
      before = next
    }
    return tiles
  }

  /// The column of a row that has a number.
  private static func column(_ number: Int, of stretches: [Range<Int>]) -> Int {
    var number = number
    for stretch in stretches {
      if number < stretch.count { return stretch.lowerBound + number }
      number -= stretch.count
    }
    return 0
  }
}
