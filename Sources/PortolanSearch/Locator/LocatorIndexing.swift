internal import Foundation
internal import PortolanFeatures

/// Makes the index of some sources.
enum LocatorIndexing {
  /// Reads all features and makes the bytes of their index.
  ///
  /// A row that cannot be read is left out; a source that cannot be read at all is an error, since a
  /// search that silently misses a layer is worse than none.
  ///
  /// - Throws: ``SearchError``.
  @concurrent static func index(
    of sources: [LocatorSource], map: String, origin: [UInt8]
  ) async throws(SearchError) -> [UInt8] {
    var builder = SearchIndexBuilder()
    for (number, source) in sources.enumerated() {
      try await add(source, number, to: &builder)
    }
    guard builder.documentCount > 0 else { throw .nothingToSearch(map: map) }
    guard let bytes = builder.finished(origin: origin) else { throw .tooLarge(map: map) }
    return bytes
  }

  private static func add(
    _ source: LocatorSource, _ number: Int, to builder: inout SearchIndexBuilder
  ) async throws(SearchError) {
    let label = FeatureLabel(source)
    let typeField = source.schema.typeIDField.map { [$0] } ?? []
    let query = QueryParameters(
      whereClause: source.whereClause, returnsGeometry: false,
      outFields: source.fields + typeField.filter { !source.fields.contains($0) })
    var features = source.store.features(in: source.schema.name, matching: query)
      .makeAsyncIterator()
    do {
      while case let page = try await features.nextReadable({ _ in }), !page.isEmpty {
        for feature in page {
          builder.add(
            label.text(of: feature.attributes), source: number, objectID: feature.objectID)
        }
      }
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreadableLayer(title: source.title, reason: error.localizedDescription)
    }
  }
}
