import Foundation
import PortolanFeatures
import PortolanGeometry
import Testing

/// Compares what two stores hold, but for what a format cannot keep.
struct FeatureComparison {
  /// The maximum distance of two coordinates, in units of the reference.
  var tolerance = 0.0
  /// Whether days, GUIDs and the like may have become text, and numbers another kind of number.
  var ignoresTypes = false

  /// Expects the tables that both call by one name to have the same rows.
  func expectSame(
    _ first: any FeatureStore, _ second: any FeatureStore,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let tables = try await first.schemas()
    let others = try await second.schemas().map { $0.name.lowercased() }
    for table in tables {
      #expect(others.contains(table.name.lowercased()), sourceLocation: sourceLocation)
      try await expectSame(table.name, first, second, sourceLocation)
    }
  }

  /// Expects a table of one store to have the rows of a table of another.
  func expectSame(
    _ table: String, _ first: any FeatureStore, _ second: any FeatureStore, as other: String? = nil,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let rows = try await first.features(in: table, matching: QueryParameters()).collect()
    let found = try await second.features(in: other ?? table, matching: QueryParameters()).collect()
    #expect(rows.map(\.objectID) == found.map(\.objectID), sourceLocation: sourceLocation)
    for (row, copy) in zip(rows, found) {
      for (field, value) in zip(row.attributes.fields, row.attributes.values) {
        let copied = copy.attributes[field.name] ?? .null
        guard !isSame(value, copied) else { continue }
        Issue.record(
          "\(table) \(row.objectID) \(field.name): \(value), then \(copied)",
          sourceLocation: sourceLocation)
        return
      }
      guard !isSame(row.geometry, copy.geometry) else { continue }
      let shapes = [row.geometry, copy.geometry].map { $0.map { "\($0)" } ?? "no shape" }
      Issue.record(
        "\(table) \(row.objectID): \(shapes[0]), then \(shapes[1])",
        sourceLocation: sourceLocation)
      return
    }
  }

  private func isSame(_ value: AttributeValue, _ copy: AttributeValue) -> Bool {
    switch (value, copy) {
    case (.null, .null): return true
    case (.date(let first), .date(let second)):
      return abs(first.timeIntervalSince(second)) < 0.001
    case (.date, .text(let text)) where ignoresTypes:
      return CivilDate(parsing: text).map { isSame(value, .date($0.date)) } ?? false
    case (.text, .date) where ignoresTypes: return isSame(copy, value)
    case (.blob(let data), .text(let text)) where ignoresTypes:
      return data.base64EncodedString() == text
    case (.text(let first), .text(let second)): return first == second
    case (.blob, _), (_, .blob): return value == copy
    default: return value.isEqual(to: copy)
    }
  }

  /// Whether two shapes have the same vertices, rings of areas wherever they start.
  private func isSame(_ shape: Geometry?, _ copy: Geometry?) -> Bool {
    let (first, second) = (shape?.paths ?? [], copy?.paths ?? [])
    let isEmpty = first.allSatisfy { $0.count == 0 } && second.allSatisfy { $0.count == 0 }
    if shape?.isEmpty ?? true, copy?.isEmpty ?? true { return isEmpty || shape == copy }
    guard shape?.type == copy?.type, first.count == second.count else { return false }
    return zip(first, second).allSatisfy { path, other in
      path.count == other.count
        && zip(path.coordinates, other.coordinates).allSatisfy {
          abs($0.x - $1.x) <= tolerance && abs($0.y - $1.y) <= tolerance
        } && isSame(path.z, other.z)
    }
  }

  private func isSame(_ heights: [Double]?, _ copies: [Double]?) -> Bool {
    guard let heights else { return copies?.allSatisfy { $0.isNaN || $0 == 0 } ?? true }
    guard let copies else { return heights.allSatisfy(\.isNaN) }
    return heights.count == copies.count
      && zip(heights, copies).allSatisfy {
        ($0.isNaN && $1.isNaN) || abs($0 - $1) <= max(tolerance, 0.001)
      }
  }
}
