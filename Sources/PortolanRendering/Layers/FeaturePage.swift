internal import PortolanFeatures

/// Some features of a query, and where it continues behind them.
///
/// A page can be asked for while the one before is drawn.
struct FeaturePage: Sendable {
  /// The features, none at the end; or why they cannot be read.
  let features: Result<ArraySlice<Feature>, FeatureStoreError>
  /// The rows that were left out because they cannot be read.
  let unreadable: [UnreadableRow]
  /// Continues behind the page.
  let reader: TolerantReader

  /// Reads the next page.
  @concurrent
  static func next(_ reader: TolerantReader) async -> FeaturePage {
    var reader = reader
    var unreadable: [UnreadableRow] = []
    let features: Result<ArraySlice<Feature>, FeatureStoreError>
    do throws(FeatureStoreError) {
      features = try await next(&reader) { unreadable += $0 }
    } catch {
      features = .failure(error)
    }
    return FeaturePage(features: features, unreadable: unreadable, reader: reader)
  }

  /// Reads on to features that can be read, or to the end.
  private static func next(
    _ reader: inout TolerantReader, _ report: ([UnreadableRow]) -> Void
  ) async throws(FeatureStoreError) -> Result<ArraySlice<Feature>, FeatureStoreError> {
    while true {
      let page = try await reader.next()
      report(page.unreadable)
      if let end = page.end { return .failure(end.error) }
      if !page.features.isEmpty || page.isEmpty { return .success(page.features) }
    }
  }
}
