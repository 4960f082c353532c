import Foundation
import PortolanFeatures
import PortolanGeometry

/// A store in which some rows cannot be read, as in a damaged file.
struct FragileStore: ForwardingFeatureStore {
  let base: InMemoryFeatureStore
  /// The object ids of the rows that cannot be read.
  let damaged: Set<Int64>
  /// The object id from which on not even ids can be read.
  var end = Int64.max

  init(_ count: Int, damaged: Set<Int64>, end: Int64 = .max) {
    base = InMemoryFeatureStore([.rows("rows", count)])
    self.damaged = damaged
    self.end = end
  }

  func features(in table: String, matching query: QueryParameters) -> FeatureSequence {
    FeatureSequence { [base, damaged, end] in
      let pages = Pages(base.features(in: table, matching: query))
      return { () async throws(FeatureStoreError) -> [Feature]? in
        let page = try await pages.next()
        let bad = page.first {
          $0.objectID >= end || (query.returnsGeometry && damaged.contains($0.objectID))
        }
        if let bad {
          throw .damaged(file: "f", place: "row \(bad.objectID)", reason: "it is a test")
        }
        return page
      }
    }
  }
}

/// The pages of a sequence.
private actor Pages {
  private var iterator: FeatureSequence.Iterator

  init(_ sequence: FeatureSequence) { iterator = sequence.makeAsyncIterator() }

  func next() async throws(FeatureStoreError) -> [Feature] {
    var iterator = iterator
    defer { self.iterator = iterator }
    return Array(try await iterator.nextFeatures())
  }
}
