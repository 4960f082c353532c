internal import Foundation
internal import PortolanDrawing
internal import PortolanFeatures
internal import PortolanGeometry

/// Gathers points into clusters or bins.
///
/// Cells have map coordinates and not pixels, so that images side by side agree.
struct FeatureAggregator {
  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  /// A picture of more says nothing to anyone, and memory ends somewhere.
  private static let maximumCount = 100_000

  private let reduction: FeatureReduction
  private let fields: [AggregateField]
  private let session: DrawingSession
  private let toDegrees: Projection?
  private let fromDegrees: Projection?
  /// The radius within which clusters are merged, in pixels.
  private let radius: Double
  private var aggregates: [Cell: FeatureAggregate] = [:]

  init(_ reduction: FeatureReduction, fields: [AggregateField], _ session: DrawingSession) {
    self.reduction = reduction
    self.fields = fields
    self.session = session
    if case .clusters(let radius, _) = reduction.kind {
      self.radius = radius * session.pixelsPerPoint
    } else {
      radius = 0
    }
    let reference = session.frame.spatialReference
    // A map without longitudes and latitudes has no bins, which is reported for each feature.
    toDegrees = try? Projection(from: reference, to: .wgs84)
    // The same.
    fromDegrees = try? Projection(from: .wgs84, to: reference)
  }

  /// Adds a point, or returns as a clause for people why it is left out.
  mutating func add(_ feature: Feature, at place: Coordinate, pixel: Coordinate) -> String? {
    guard let (cell, box) = cell(of: place) else { return "a feature is in no cell of its bins" }
    guard aggregates.count < Self.maximumCount || aggregates[cell] != nil else {
      return "there are too many clusters or bins for one picture"
    }
    aggregates[cell, default: FeatureAggregate(feature, cell: box, fields: fields)]
      .add(feature, at: pixel)
    return nil
  }

  private func cell(of place: Coordinate) -> (Cell, Envelope?)? {
    switch reduction.kind {
    case .clusters:
      let side = radius * session.frame.resolution / session.pixelRatio
      let shift = (WorldCopies.width(session.frame) ?? 0) * Double(session.worldCopy)
      guard let column = Int(exactly: ((place.x + shift) / side).rounded(.down)),
        let row = Int(exactly: (place.y / side).rounded(.down))
      else { return nil }
      return (Cell(column: column, row: row), nil)
    case .bins(let level): return bin(place, level: level)
    }
  }

  /// The cell of a geohash of so many letters; longitudes have a bit more if their number is odd.
  private func bin(_ place: Coordinate, level: Int) -> (Cell, Envelope?)? {
    guard let place = toDegrees?.project([place])[0], place.x.isFinite, place.y.isFinite else {
      return nil
    }
    let width = 360 / Double(1 << ((5 * level + 1) / 2))
    let height = 180 / Double(1 << (5 * level / 2))
    let (column, row) = ((place.x / width).rounded(.down), (place.y / height).rounded(.down))
    let box = Envelope(
      xMin: column * width, yMin: row * height, xMax: (column + 1) * width,
      yMax: (row + 1) * height)
    // A cell that the map has no place for is none.
    guard let cell = try? fromDegrees?.project(box), let x = Int(exactly: column),
      let y = Int(exactly: row)
    else { return nil }
    return (Cell(column: x, row: y), cell)
  }

  /// The aggregates from the one with the most features to the one with the fewest.
  mutating func finished() -> [FeatureAggregate] {
    let ordered = aggregates.sorted { left, right in
      (-left.value.count, left.key.row, left.key.column)
        < (-right.value.count, right.key.row, right.key.column)
    }
    guard radius > 0 else { return ordered.map(\.value) }
    return merged(ordered.map(\.key))
  }

  /// Puts clusters that are nearer than the radius into larger ones.
  ///
  /// A cluster goes into the largest near it that goes into no other itself: what becomes of it is
  /// known from the cells around it, so pictures side by side agree.
  private mutating func merged(_ order: [Cell]) -> [FeatureAggregate] {
    let ranks = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
    let centers = aggregates.mapValues(\.center)
    func near(_ cell: Cell) -> [Cell] {
      guard let center = centers[cell] else { return [] }
      return (-1...1).flatMap { row in
        (-1...1).map { Cell(column: cell.column + $0, row: cell.row + row) }
      }.filter { other in
        other != cell
          && (centers[other].map { PixelPath.distance(center, $0) < radius } ?? false)
      }
    }
    func isGreater(_ other: Cell, _ cell: Cell) -> Bool {
      (ranks[other] ?? .max) < (ranks[cell] ?? .max)
    }
    let neighbors = aggregates.keys.reduce(into: [Cell: [Cell]]()) { $0[$1] = near($1) }
    let peaks = Set(
      order.filter { cell in !(neighbors[cell] ?? []).contains { isGreater($0, cell) } })
    var result: [Cell: FeatureAggregate] = [:]
    for cell in order {
      guard let aggregate = aggregates[cell] else { continue }
      let above =
        peaks.contains(cell)
        ? nil : neighbors[cell]?.filter(peaks.contains).min(by: isGreater)
      if let above {
        result[above]?.merge(aggregate)
      } else {
        result[cell] = aggregate
      }
    }
    return order.compactMap { result[$0] }
  }
}
