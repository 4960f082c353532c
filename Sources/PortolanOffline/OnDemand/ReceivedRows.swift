internal import PortolanFeatures
internal import PortolanJSON
internal import PortolanPortal

/// The received rows of a layer, page by page.
///
/// Pages are places in an order that others shift when they add or remove rows meanwhile: a row may come
/// twice then, and another one never.
struct ReceivedRows {
  private var ids = RangeSet<Int64>()
  private var pageCount = 0

  /// The rows of a page that did not come before.
  mutating func new(in page: [Feature]) -> [Feature] {
    pageCount += 1
    return page.filter { row in
      // Rows without an id cannot be distinguished.
      guard row.objectID > 0, row.objectID < .max else { return true }
      guard !ids.contains(row.objectID) else { return false }
      ids.insert(contentsOf: row.objectID..<row.objectID + 1)
      return true
    }
  }

  /// The ids of rows that have not come although the service has them; none where it does not list them.
  ///
  /// It is not asked for them if all came at once, or if it says that nothing was edited since the layer
  /// was described.
  func missed(
    _ query: ServiceQueryParameters, of table: ServiceFeatureTable, in service: FeatureService,
    _ layer: Int
  ) async throws(PortalError) -> [Int64] {
    guard pageCount > 1 else { return [] }
    do throws(PortalError) {
      let before = table.info.lastEdit
      if let before, try await service.table(layer).info.lastEdit == before { return [] }
      return try await table.objectIDs(matching: query).filter { !ids.contains($0) }
    } catch {
      guard error.refusesQuestion else { throw error }
      return []
    }
  }
}

extension FeatureLayerInfo {
  /// When a row was edited last, if the service says so.
  fileprivate var lastEdit: Int64? { json["editingInfo"]?["lastEditDate"]?.integer }
}
