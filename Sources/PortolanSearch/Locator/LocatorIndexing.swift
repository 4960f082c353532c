internal import Foundation
internal import PortolanFeatures

/// Makes the index of some sources.
enum LocatorIndexing {
  /// An index, and why some of the sources are not in it.
  struct Outcome {
    let bytes: [UInt8]
    let unsearched: [SearchError]
  }

  /// Reads all features and makes the bytes of their index.
  ///
  /// A row that cannot be read is left out. A source that cannot be read at all leaves the others, and
  /// the result says so: a search that silently misses a layer is worse than none.
  ///
  /// - Throws: ``SearchError``.
  @concurrent static func index(
    of sources: [LocatorSource], map: String, origin: [UInt8]
  ) async throws(SearchError) -> Outcome {
    var builder = SearchIndexBuilder()
    var unsearched: [SearchError] = []
    for (number, source) in sources.enumerated() {
      do throws(SearchError) {
        try await read(source) { builder.add($0.label, source: number, objectID: $0.objectID) }
      } catch {
        guard case .unreadableLayer = error else { throw error }
        unsearched.append(error)
      }
    }
    guard builder.documentCount > 0 || !unsearched.isEmpty else {
      throw .nothingToSearch(map: map)
    }
    guard let bytes = builder.finished(origin: origin) else { throw .tooLarge(map: map) }
    return Outcome(bytes: bytes, unsearched: unsearched)
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
    var reader = TolerantReader(source.store, source.schema, query)
    do throws(FeatureStoreError) {
      while case let page = try await reader.next(), !page.isEmpty {
        if let end = page.end { throw end.error }
        for feature in page.features {
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
