internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Gathers points into clusters or bins.
///
/// Cells are those of the ground, not of the picture, so that pictures side by side agree.
struct FeatureAggregator {
  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  /// A picture of more says nothing to anybody, and memory ends somewhere.
  private static let maximumCount = 100_000

  private let reduction: FeatureReduction
  private let fields: [AggregateField]
  private let session: DrawingSession
  private let toDegrees: Projection?
  private let fromDegrees: Projection?
  /// How near clusters are merged, in pixels.
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
    // Where the map has no longitude and latitude there are no bins, which is told of each feature.
    toDegrees = try? Projection(from: reference, to: .wgs84)
    // The same.
    fromDegrees = try? Projection(from: .wgs84, to: reference)
  }

  /// Takes a point down, or tells as a clause for people why it is left out.
  mutating func add(_ feature: Feature, ground: Coordinate, pixel: Coordinate) -> String? {
    guard let (cell, box) = cell(of: ground) else { return "a feature is in no cell of its bins" }
    guard aggregates.count < Self.maximumCount || aggregates[cell] != nil else {
      return "there are too many clusters or bins for one picture"
    }
    aggregates[cell, default: FeatureAggregate(feature, cell: box, fields: fields)]
      .add(feature, at: pixel)
    return nil
  }

  private func cell(of ground: Coordinate) -> (Cell, Envelope?)? {
    switch reduction.kind {
    case .clusters:
      let side = radius * session.frame.resolution / session.pixelRatio
      let shift = (WorldCopies.width(session.frame) ?? 0) * Double(session.worldCopy)
      guard let column = Int(exactly: ((ground.x + shift) / side).rounded(.down)),
        let row = Int(exactly: (ground.y / side).rounded(.down))
      else { return nil }
      return (Cell(column: column, row: row), nil)
    case .bins(let level): return bin(ground, level: level)
    }
  }

  /// The cell of a geohash of so many letters; longitudes have a bit more if their number is odd.
  private func bin(_ ground: Coordinate, level: Int) -> (Cell, Envelope?)? {
    guard let place = toDegrees?.project([ground])[0], place.x.isFinite, place.y.isFinite else {
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

  /// Puts clusters that are nearer than the radius into the larger ones.
  private mutating func merged(_ order: [Cell]) -> [FeatureAggregate] {
    var result: [FeatureAggregate] = []
    for cell in order {
      guard var aggregate = aggregates.removeValue(forKey: cell) else { continue }
      let center = aggregate.center
      for row in -1...1 {
        for column in -1...1 {
          let neighbor = Cell(column: cell.column + column, row: cell.row + row)
          guard let other = aggregates[neighbor],
            PixelPath.distance(center, other.center) < radius
          else { continue }
          aggregate.merge(other)
          aggregates[neighbor] = nil
        }
      }
      result.append(aggregate)
    }
    return result
  }
}
