internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry

/// Edits a map's geodatabase in numbered groups.
///
/// Each leaves two marks in each of its tables: a new
/// feature, and a value of a feature that was there before. All must be there, or none.
enum ChildEditor {
  /// A table with a text field and a feature.
  private struct Target {
    let table: String
    let field: String
    let marked: Int64
    let geometry: Geometry?
  }

  private static let addedPrefix = "crash-added-"
  private static let changedPrefix = "crash-changed-"
  /// How many tables a group of edits is about.
  private static let tableCount = 2

  /// Applies some groups of edits, reporting each before and after.
  ///
  /// The first has at least the number `least`, and one that is larger than all that are there. Some of the last
  /// are taken back then.
  static func edit(
    _ file: URL, count: Int, from least: Int, takingBack undone: Int, report: (String) -> Void
  ) async throws {
    let geodatabase = try EditableGeodatabase.open(at: file, now: { Date() }, makeID: { UUID() })
    let targets = try await targets(in: geodatabase)
    let marks = try await marks(in: geodatabase)
    let first = max(least, (marks.compactMap(\.changed).max() ?? -1) + 1)
    for number in first..<first + count {
      report("edit \(number) begun")
      do { _ = try await geodatabase.apply(targets.flatMap { edits(number, $0) }) } catch {
        report("edit \(number) failed")
        throw error
      }
      report("edit \(number) done")
    }
    for number in (first..<first + count).suffix(undone).reversed() {
      try await takeBack(number, in: geodatabase, report)
    }
    await geodatabase.close()
  }

  private static func takeBack(
    _ number: Int, in geodatabase: EditableGeodatabase, _ report: (String) -> Void
  ) async throws {
    report("undo \(number) begun")
    do throws(FeatureEditError) { _ = try await geodatabase.undo() } catch {
      // What is not known is neither.
      if case .unconfirmed = error { throw error }
      report("undo \(number) failed")
      throw error
    }
    report("undo \(number) done")
  }

  private static func edits(_ number: Int, _ target: Target) -> [FeatureEdit] {
    [
      .add(
        NewFeature(
          attributes: [target.field: .text("\(addedPrefix)\(number)")],
          geometry: target.geometry), table: target.table),
      .update(
        .objectID(target.marked), table: target.table,
        attributes: [target.field: .text("\(changedPrefix)\(number)")]),
    ]
  }

  // MARK: - Tables

  private static func targets(in store: some FeatureStore) async throws -> [Target] {
    var targets: [Target] = []
    for schema in try await store.schemas().sorted(by: { $0.name < $1.name })
    where targets.count < tableCount {
      let field = schema.fields.first {
        $0.type == .string && $0.isEditable && $0.domain == nil && ($0.length ?? 0) >= 40
      }
      guard let field else { continue }
      let first = QueryParameters(orderBy: [.init(schema.objectIDField)], limit: 1)
      for try await feature in store.features(in: schema.name, matching: first) {
        targets.append(
          Target(
            table: schema.name, field: field.name, marked: feature.objectID,
            geometry: feature.geometry))
      }
    }
    guard !targets.isEmpty else { throw CrashTestError.noArea }
    return targets
  }

  // MARK: - Marks

  /// The marks in a geodatabase, each table as one walk sees it.
  static func marks(in file: URL) async throws -> [EditMarks] {
    let geodatabase = try Geodatabase.open(at: file)
    var marks = try await marks(in: geodatabase)
    let changes = try await geodatabase.localChanges().changes
    for index in marks.indices {
      marks[index].unsent = changes.count { $0.table == marks[index].table }
    }
    return marks
  }

  private static func marks(in store: some FeatureStore) async throws -> [EditMarks] {
    var all: [EditMarks] = []
    for target in try await targets(in: store) {
      var marks = EditMarks(table: target.table)
      let query = QueryParameters(
        whereClause: "\(target.field) LIKE 'crash-%'", returnsGeometry: false)
      for try await feature in store.features(in: target.table, matching: query) {
        guard case .text(let text)? = feature.attributes[target.field] else { continue }
        if let number = number(text, after: addedPrefix) { marks.added[number, default: 0] += 1 }
        if let number = number(text, after: changedPrefix) { marks.changed = number }
      }
      all.append(marks)
    }
    return all
  }

  /// Whether a feature was added by a group of edits.
  static func isAdded(_ feature: Feature) -> Bool {
    feature.attributes.values.contains {
      if case .text(let text) = $0 { text.hasPrefix(addedPrefix) } else { false }
    }
  }

  private static func number(_ text: String, after prefix: String) -> Int? {
    text.hasPrefix(prefix) ? Int(text.dropFirst(prefix.count)) : nil
  }
}
