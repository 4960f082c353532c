internal import Foundation
internal import PortolanArchives
internal import PortolanTiles

/// Writes tiles as Mapbox vector tiles; it keeps memory from tile to tile, and belongs to one task.
///
/// - SeeAlso: [Vector Tile Specification 2.1](https://github.com/mapbox/vector-tile-spec/tree/master/2.1)
struct TileEncoder {
  /// A tile, and how many of its features were left out for its size.
  struct Encoded: Sendable {
    let id: TileID
    let data: Data
    let omittedCount: Int
  }

  private let layers: [TileRows]
  private let limits: VectorTileConversion.Limits
  private let levels: ClosedRange<Int>
  private let keepsEmptyTiles: Bool
  /// For each layer and value the tile that used it last, and its number there.
  private var stamps: [[Int32]]
  private var numbers: [[UInt32]]
  private var stamp: Int32 = 0
  private var simplifier = TileSimplifier()
  private var feature = TileMessage()
  private var geometry: [UInt32] = []
  private var tags: [UInt32] = []

  init(
    _ layers: [TileRows], _ limits: VectorTileConversion.Limits, levels: ClosedRange<Int>,
    keepsEmptyTiles: Bool
  ) {
    self.layers = layers
    self.limits = limits
    self.levels = levels
    self.keepsEmptyTiles = keepsEmptyTiles
    stamps = layers.map { Array(repeating: 0, count: $0.encoded.count) }
    numbers = layers.map { Array(repeating: 0, count: $0.encoded.count) }
  }

  /// The tile; `nil` if nothing of it is seen.
  mutating func tile(
    _ id: TileID, _ content: [TileLayerContent]
  ) throws(ArchiveError) -> Encoded? {
    let count = content.reduce(0) { $0 + $1.points.count + $1.shapes.count }
    var share = min(1, Double(limits.featureCount) / Double(max(count, 1)))
    while true {
      let (plain, omitted) = encode(id, content, share: share)
      guard !plain.isEmpty || keepsEmptyTiles else { return nil }
      let data = try Gzip.compress(Data(plain), level: limits.compressionLevel)
      if data.count <= limits.size || share < 1e-6 {
        return Encoded(id: id, data: data, omittedCount: omitted)
      }
      share *= min(Double(limits.size) / Double(data.count), 1) * 0.85
    }
  }

  private mutating func encode(
    _ id: TileID, _ content: [TileLayerContent], share: Double
  ) -> (data: [UInt8], omittedCount: Int) {
    var tile = TileMessage()
    var omitted = 0
    for number in layers.indices
    where !content[number].isEmpty && layers[number].minLevel <= id.level {
      let layer = self.layer(number, id, content[number], share: share, &omitted)
      if !layer.isEmpty { tile.bytes(3, layer) }
    }
    return (tile.data, omitted)
  }

  private mutating func layer(
    _ number: Int, _ id: TileID, _ content: TileLayerContent, share: Double,
    _ omitted: inout Int
  ) -> [UInt8] {
    stamp += 1
    var used: [Int32] = []
    var layer = TileMessage()
    layer.number(15, 2)
    layer.bytes(1, Array(layers[number].name.utf8))
    var count = 0
    let shift = Int32(TileGrid.bits - TileGrid.tileBits - id.level)
    let side = Int64(1) << (TileGrid.bits - id.level)
    let corner = SIMD2(Int64(id.column) * side, Int64(id.row) * side)
    for point in content.points {
      guard Self.rank(of: point.row) < share else {
        omitted += 1
        continue
      }
      let place = Self.place(point.place, corner, shift)
      geometry.removeAll(keepingCapacity: true)
      geometry += [9, Self.zigzag(place.x), Self.zigzag(place.y)]
      add(point.row, kind: 1, to: &layer, number, &used)
      count += 1
    }
    // Areas that are too small to be seen are drawn as one where they add up to a pixel.
    var unseen = 0.0
    for shape in content.shapes {
      guard Self.rank(of: shape.row) < share else {
        omitted += 1
        continue
      }
      guard encode(shape, at: id.level, corner, shift, &unseen) else { continue }
      add(shape.row, kind: shape.isArea ? 3 : 2, to: &layer, number, &used)
      count += 1
    }
    guard count > 0 else { return [] }
    for field in layers[number].fields { layer.bytes(3, Array(field.utf8)) }
    for value in used { layer.bytes(4, layers[number].encoded[Int(value)]) }
    layer.number(5, 1 << TileGrid.tileBits)
    return layer.data
  }

  /// A number from 0 up to 1 that is always the same for a row, so that coarser tiles show some of
  /// what finer ones show.
  @inline(__always)
  private static func rank(of row: Int32) -> Double {
    let mixed = (UInt64(UInt32(bitPattern: row)) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    return Double(mixed >> 11) / Double(UInt64(1) << 53)
  }

  @inline(__always)
  private static func zigzag(_ number: Int32) -> UInt32 {
    UInt32(bitPattern: (number << 1) ^ (number >> 31))
  }

  /// The place in a tile, of 4096 steps along its side.
  @inline(__always)
  private static func place(
    _ point: GridPoint, _ corner: SIMD2<Int64>, _ shift: Int32
  ) -> SIMD2<Int32> {
    let half = shift > 0 ? Int64(1) << (Int64(shift) - 1) : 0
    return SIMD2(
      Int32(truncatingIfNeeded: (Int64(point.x) - corner.x + half) >> Int64(shift)),
      Int32(truncatingIfNeeded: (Int64(point.y) - corner.y + half) >> Int64(shift)))
  }

  private mutating func add(
    _ row: Int32, kind: UInt64, to layer: inout TileMessage, _ number: Int, _ used: inout [Int32]
  ) {
    let rows = layers[number]
    let count = rows.fields.count
    tags.removeAll(keepingCapacity: true)
    for field in 0..<count {
      let value = Int(rows.values[Int(row) * count + field])
      guard value >= 0 else { continue }
      if stamps[number][value] != stamp {
        stamps[number][value] = stamp
        numbers[number][value] = UInt32(used.count)
        used.append(Int32(value))
      }
      tags.append(UInt32(field))
      tags.append(numbers[number][value])
    }
    feature.removeAll()
    let id = rows.ids[Int(row)]
    if id >= 0 { feature.number(1, UInt64(id)) }
    feature.packed(2, tags)
    feature.number(3, kind)
    feature.packed(4, geometry)
    layer.bytes(2, feature.data)
  }

  // MARK: - Lines and areas

  /// Writes the commands of a shape; `false` if it is too small to be seen.
  private mutating func encode(
    _ shape: TileShape, at level: Int, _ corner: SIMD2<Int64>, _ shift: Int32,
    _ unseen: inout Double
  ) -> Bool {
    geometry.removeAll(keepingCapacity: true)
    let isFinest = level == levels.upperBound
    let tolerance = isFinest ? 0.5 : limits.tolerance
    var cursor = SIMD2<Int32>(0, 0)
    var hasOutline = false
    for path in shape.paths {
      var placed: [SIMD2<Int32>] = []
      placed.reserveCapacity(path.count)
      for point in path {
        let place = Self.place(point, corner, shift)
        if placed.last != place { placed.append(place) }
      }
      let simple = simplifier.simplify(placed, tolerance: tolerance)
      guard shape.isArea else {
        if simple.count > 1 { write(simple[...], closes: false, &cursor) }
        continue
      }
      let area = Self.area(simple)
      // Holes follow their outline, and go with it.
      if area >= 0 { hasOutline = false }
      guard simple.count >= 4, abs(area) >= (isFinest ? 0.5 : limits.smallestArea) else {
        if area > 0 { unseen += area }
        continue
      }
      if area > 0 { hasOutline = true }
      guard hasOutline else { continue }
      write(simple.dropLast(), closes: true, &cursor)
    }
    guard geometry.isEmpty, shape.isArea, let first = shape.paths.first?.first else {
      return !geometry.isEmpty
    }
    let single = Self.area(shape.paths[0].map { Self.place($0, corner, shift) })
    if single <= 0 { unseen += 0.25 }
    guard unseen >= limits.smallestArea || isFinest else { return false }
    unseen = 0
    writeSpeck(at: Self.place(first, corner, shift), &cursor)
    return true
  }

  /// The area of a ring, positive if it is an outline; y grows downwards.
  private static func area(_ ring: [SIMD2<Int32>]) -> Double {
    guard ring.count > 2 else { return 0 }
    var sum = 0.0
    var last = ring[ring.count - 1]
    for point in ring {
      sum += Double(last.x) * Double(point.y) - Double(point.x) * Double(last.y)
      last = point
    }
    return sum / 2
  }

  private mutating func write(
    _ points: ArraySlice<SIMD2<Int32>>, closes: Bool, _ cursor: inout SIMD2<Int32>
  ) {
    guard let first = points.first else { return }
    geometry += [9, Self.zigzag(first.x &- cursor.x), Self.zigzag(first.y &- cursor.y)]
    geometry.append(UInt32(points.count - 1) << 3 | 2)
    cursor = first
    for point in points.dropFirst() {
      geometry.append(Self.zigzag(point.x &- cursor.x))
      geometry.append(Self.zigzag(point.y &- cursor.y))
      cursor = point
    }
    if closes { geometry.append(15) }
  }

  /// A square of a pixel that stands for areas too small to be seen.
  private mutating func writeSpeck(at place: SIMD2<Int32>, _ cursor: inout SIMD2<Int32>) {
    let side = Int32(max(limits.smallestArea.squareRoot().rounded(), 1))
    let ring = [
      place, SIMD2(place.x &+ side, place.y), SIMD2(place.x &+ side, place.y &+ side),
      SIMD2(place.x, place.y &+ side),
    ]
    write(ring[...], closes: true, &cursor)
  }
}
