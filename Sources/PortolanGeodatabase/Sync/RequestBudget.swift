internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// The features and bytes that still fit into a request.
struct RequestBudget {
  private var features: Int
  /// How many bytes are left.
  private(set) var bytes: Int
  private var isUsed = false
  /// Whether something did not fit.
  private(set) var isFull = false

  init(limit: SyncUpload.Limit) {
    (features, bytes) = (limit.features, limit.bytes)
  }

  /// Whether an edit of that size still fits.
  ///
  /// The first one always does; after one that does not, none does.
  mutating func takes(_ size: Int) -> Bool {
    guard !isFull, !isUsed || features > 0 && size <= bytes else {
      isFull = true
      return false
    }
    features -= 1
    bytes -= min(size, bytes)
    isUsed = true
    return true
  }
}

extension GeodatabaseSync {
  /// The number of features that are read at once to measure them.
  private static let weighed = 50
  /// About how many bytes an edit has that is no more than an id.
  private static let idSize = 40

  /// Those of some edits that a request still takes, by their object ids.
  ///
  /// - Parameters:
  ///   - changes: The edits.
  ///   - table: Their table.
  ///   - budget: What the request takes.
  ///   - hasFiles: Whether their attachments count as well.
  /// - Returns: The edits.
  /// - Throws: `FeatureEditError` if the file cannot be read.
  func first(
    of changes: [LocalChange], in table: EditedTable, _ budget: inout RequestBudget,
    withFiles hasFiles: Bool
  ) throws(FeatureEditError) -> [LocalChange] {
    let ordered = changes.sorted { $0.objectID < $1.objectID }
    var taken: [LocalChange] = []
    for start in stride(from: 0, to: ordered.count, by: Self.weighed) {
      let some = Array(ordered[start..<min(start + Self.weighed, ordered.count)])
      guard !budget.isFull else { return taken }
      let rows = try features(some, .add, table) + features(some, .update, table)
      let rowsByID = Dictionary(rows.map { ($0.objectID, $0) }, uniquingKeysWith: { $1 })
      // What cannot be read takes no room from the others.
      for change in some where !change.isWritten || rowsByID[change.objectID] != nil {
        var size = rowsByID[change.objectID]?.requestSize ?? Self.idSize
        if hasFiles { size += try sizeOfFiles(change, table) }
        guard budget.takes(size) else { return taken }
        taken.append(change)
      }
    }
    return taken
  }

  /// How many bytes the attachments of a new feature have in a request, where they are Base64.
  private func sizeOfFiles(
    _ change: LocalChange, _ table: EditedTable
  ) throws(FeatureEditError) -> Int {
    guard !change.attachments.isEmpty else { return 0 }
    let files = try file.reading { reader throws(FeatureStoreError) in
      try reader.attachments(of: change.objectID, in: table.name)
    }
    // The file says how large they are, and may say anything.
    return files.reduce(0) { $0 + min($1.size, Int(Int32.max)) / 3 * 4 }
  }
}

extension Feature {
  /// About how many bytes it has in a request.
  fileprivate var requestSize: Int {
    let vertices = geometry?.paths.reduce(0) { $0 + $1.count } ?? 0
    let texts = attributes.values.reduce(0) { sum, value in
      if case .text(let text) = value { sum + text.utf8.count } else { sum + 20 }
    }
    return vertices * 40 + texts
  }
}
