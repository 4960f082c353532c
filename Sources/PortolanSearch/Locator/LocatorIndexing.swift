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
      try await read(source) { builder.add($0.label, source: number, objectID: $0.objectID) }
    }
    guard builder.documentCount > 0 else { throw .nothingToSearch(map: map) }
    guard let bytes = builder.finished(origin: origin) else { throw .tooLarge(map: map) }
    return bytes
  }

  /// Reads the labels of a source, at most so many.
  ///
  /// - Throws: ``SearchError``.
  static func read(
    _ source: LocatorSource, limit: Int? = nil, _ take: (LabelledRow) -> Void
  ) async throws(SearchError) {
    let label = FeatureLabel(source)
    let typeField = source.schema.typeIDField.map { [$0] } ?? []
    let query = QueryParameters(
      whereClause: source.whereClause, limit: limit, returnsGeometry: false,
      outFields: source.fields + typeField.filter { !source.fields.contains($0) })
    var features = source.store.features(in: source.schema.name, matching: query)
      .makeAsyncIterator()
    do {
      while case let page = try await features.nextReadable({ _ in }), !page.isEmpty {
        for feature in page {
          take(
            LabelledRow(
              label: label.text(of: feature.attributes), objectID: feature.objectID))
        }
      }
    } catch .cancelled {
      throw .cancelled
    } catch {
      throw .unreadableLayer(title: source.title, reason: error.localizedDescription)
    }
  }
}

/// A row and what it is found by.
struct LabelledRow: Sendable {
  let label: String
  let objectID: Int64
}
