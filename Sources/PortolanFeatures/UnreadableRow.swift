/// A row that cannot be read, in a table whose other rows may be.
public struct UnreadableRow: Hashable, Sendable {
  /// The file, for messages.
  public let file: String
  /// The name of the table.
  public let table: String
  /// The object id of the row.
  public let objectID: Int64
  /// The reason, as the end of a sentence.
  public let reason: String
  /// Whether the file is damaged there; otherwise the row has something that is not supported.
  public let isDamaged: Bool

  /// Describes a row.
  public init(
    file: String, table: String, objectID: Int64, reason: String, isDamaged: Bool = true
  ) {
    self.file = file
    self.table = table
    self.objectID = objectID
    self.reason = reason
    self.isDamaged = isDamaged
  }

  /// The place, for messages: `row 7 of Parcels`.
  public var place: String { "row \(objectID) of \(table)" }
}

extension FeatureSequence.Iterator {
  /// The next features that can be read; empty at the end.
  ///
  /// - Parameter report: Called with each row that is left out because it cannot be read.
  /// - Returns: The features.
  /// - Throws: ``FeatureStoreError`` for whatever concerns more than one row.
  public mutating func nextReadable(
    _ report: (UnreadableRow) -> Void
  ) async throws(FeatureStoreError) -> ArraySlice<Feature> {
    while true {
      do throws(FeatureStoreError) { return try await nextFeatures() } catch {
        guard case .unreadableRow(let row) = error else { throw error }
        report(row)
      }
    }
  }
}
