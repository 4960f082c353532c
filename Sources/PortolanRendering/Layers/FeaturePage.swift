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
  let iterator: FeatureSequence.Iterator

  /// Reads the next page.
  @concurrent
  static func next(_ iterator: FeatureSequence.Iterator) async -> FeaturePage {
    var iterator = iterator
    var unreadable: [UnreadableRow] = []
    let features: Result<ArraySlice<Feature>, FeatureStoreError>
    do throws(FeatureStoreError) {
      features = .success(try await iterator.nextReadable { unreadable.append($0) })
    } catch {
      features = .failure(error)
    }
    return FeaturePage(features: features, unreadable: unreadable, iterator: iterator)
  }
}
