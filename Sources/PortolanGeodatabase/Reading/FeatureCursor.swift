internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// Walks along the rows of a plan and makes features of them.
///
/// The only cursor: a reader uses it in place, a ``FeatureWalk`` for a
/// `FeatureSequence`. Holds a statement of its connection while it lives, and no row.
final class FeatureCursor {
  private let plan: FeaturePlan
  private let query: Query
  private let location: GeodatabaseLocation
  private var toSkip: Int
  private var left: Int?
  /// Stepping on from the end would make SQLite start over.
  private var isAtEnd = false
  /// How many features the last page had, which the next one mostly has, too.
  private var pageCount = 0
  /// The error of the row after the last page.
  private var heldError: FeatureStoreError?

  /// Whether there is nothing more; `false` may be too careful.
  var isFinished: Bool { heldError == nil && (isAtEnd || left == 0) }

  init(_ plan: FeaturePlan, _ query: consuming Query, _ location: GeodatabaseLocation) {
    self.plan = plan
    self.query = query
    self.location = location
    toSkip = plan.offset
    left = plan.limit
  }

  /// The next feature, or `nil` after the last one.
  ///
  /// Throws ``FeatureStoreError/unreadableRow(_:)`` for a row that cannot be read, and continues behind
  /// it when it is called again.
  func next() throws(FeatureStoreError) -> Feature? {
    if let left, left <= 0 { return nil }
    while try step() {
      guard try meetsExtent() else { continue }
      guard toSkip == 0 else {
        toSkip -= 1
        continue
      }
      if let left { self.left = left - 1 }
      return try feature()
    }
    return nil
  }

  /// Some of the next features, as many as are worth a hop between threads; empty at the end.
  ///
  /// A row that cannot be read ends a page; the next call throws, and the one after that continues
  /// behind the row.
  func nextPage() throws(FeatureStoreError) -> [Feature] {
    if let error = heldError {
      heldError = nil
      throw error
    }
    var page: [Feature] = []
    page.reserveCapacity(pageCount)
    defer { pageCount = page.count }
    var weight = 0
    do {
      while page.count < Self.mostFeatures, weight < Self.greatestWeight,
        let feature = try next()
      {
        weight += feature.weight
        page.append(feature)
      }
    } catch {
      guard !page.isEmpty else { throw error }
      heldError = error
    }
    return page
  }

  private static let mostFeatures = 256
  /// In bytes, roughly.
  private static let greatestWeight = 1 << 20

  private func step() throws(FeatureStoreError) -> Bool {
    guard !isAtEnd else { return false }
    do {
      isAtEnd = try !query.step()
      return !isAtEnd
    } catch {
      isAtEnd = true
      throw location.failure(error, inRowsOf: plan.storage.name)
    }
  }

  private func meetsExtent() throws(FeatureStoreError) -> Bool {
    guard let wanted = plan.exactExtent else { return true }
    guard let geometry = plan.storage.geometry, !geometry.holdsForeignShapes else { return false }
    let extent = try unsafe decoding { bytes throws(StoredShapeError) in
      try unsafe geometry.extent(of: bytes)
    }
    return extent?.intersects(wanted) ?? false
  }

  private func feature() throws(FeatureStoreError) -> Feature {
    let values = plan.columnTypes.indices.map { plan.columnTypes[$0].attribute(query[$0 + 1]) }
    return Feature(
      objectID: query.integer(at: 0), attributes: Attributes(plan.fieldList, values),
      geometry: plan.returnsGeometry ? try geometry() : nil)
  }

  private func geometry() throws(FeatureStoreError) -> Geometry? {
    guard !query.isNull(at: plan.geometryColumn) else { return nil }
    return try unsafe decoding { bytes throws(StoredShapeError) in
      try unsafe plan.storage.geometry?.geometry(of: bytes)
    }
  }

  private func decoding<T>(
    _ body: (UnsafeRawBufferPointer) throws(StoredShapeError) -> T
  ) throws(FeatureStoreError) -> T {
    do { return try unsafe query.withBlob(at: plan.geometryColumn, body) } catch {
      throw location.failure(error, inRow: query.integer(at: 0), of: plan.storage.name)
    }
  }
}

extension Feature {
  /// The bytes it takes in memory, roughly.
  fileprivate var weight: Int {
    let values = attributes.values.reduce(0) { sum, value in
      switch value {
      case .text(let text): sum + 16 + text.utf8.count
      case .blob(let data): sum + 16 + data.count
      default: sum + 16
      }
    }
    return values + 24 * (geometry?.paths.reduce(0) { $0 + $1.count } ?? 0)
  }
}
