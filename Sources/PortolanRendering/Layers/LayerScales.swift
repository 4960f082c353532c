internal import PortolanFeatures
internal import PortolanGeometry
internal import Synchronization

/// Values that are computed once for all pictures of a map at a scale, so that colours and sizes
/// mean the same in all of them.
final class LayerScales: Sendable {
  /// Maps have few layers, and those who look at them few scales.
  private static let maximumCount = 4096

  private let values = Mutex<[String: Double]>([:])

  /// The number under a key, made where it is not known.
  func value(_ key: String, _ make: () async -> Double) async -> Double {
    if let known = values.withLock({ $0[key] }) { return known }
    // A caller at the same time computes the same.
    let made = await make()
    values.withLock { if $0.count < Self.maximumCount { $0[key] = made } }
    return made
  }
}

/// Counts points in cells of the map, and reports the count of the densest.
struct DensestCell {
  private struct Cell: Hashable {
    let column: Int
    let row: Int
  }

  private static let maximumCount = 1_000_000

  private let side: Double
  private var sums: [Cell: Double] = [:]
  /// The greatest sum.
  private(set) var sum = 0.0

  /// Cells of that side, in map units.
  init(side: Double) { self.side = side }

  mutating func add(_ place: Coordinate, weight: Double) {
    guard let column = Int(exactly: (place.x / side).rounded(.down)),
      let row = Int(exactly: (place.y / side).rounded(.down)), weight.isFinite
    else { return }
    let cell = Cell(column: column, row: row)
    guard sums.count < Self.maximumCount || sums[cell] != nil else { return }
    sums[cell, default: 0] += weight
    sum = max(sum, sums[cell] ?? 0)
  }
}
