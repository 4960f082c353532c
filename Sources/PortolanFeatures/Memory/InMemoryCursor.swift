internal import Synchronization

/// Hands out the rows of a query a page at a time, found when the first page is requested.
final class InMemoryCursor: Sendable {
  private static let pageSize = 256

  private let rest = Mutex<ArraySlice<Feature>?>(nil)

  func next(
    _ find: () throws(FeatureStoreError) -> [Feature]
  ) throws(FeatureStoreError) -> [Feature] {
    if let page = rest.withLock({ Self.page(&$0) }) { return page }
    let found = try find()
    return rest.withLock {
      $0 = found[...]
      return Self.page(&$0) ?? []
    }
  }

  private static func page(_ rest: inout ArraySlice<Feature>?) -> [Feature]? {
    guard let rows = rest else { return nil }
    rest = rows.dropFirst(pageSize)
    return Array(rows.prefix(pageSize))
  }
}
