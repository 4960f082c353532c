internal import PortolanFeatures

/// Some features of a query, and where it goes on behind them.
///
/// A page can be asked for while the one before is drawn.
struct FeaturePage: Sendable {
  /// The features, none at the end; or why they cannot be read.
  let features: Result<ArraySlice<Feature>, FeatureStoreError>
  /// Goes on behind the page.
  let iterator: FeatureSequence.Iterator

  /// Reads the next page.
  @concurrent
  static func next(_ iterator: FeatureSequence.Iterator) async -> FeaturePage {
    var iterator = iterator
    do throws(FeatureStoreError) {
      let features = try await iterator.nextFeatures()
      return FeaturePage(features: .success(features), iterator: iterator)
    } catch {
      return FeaturePage(features: .failure(error), iterator: iterator)
    }
  }
}
