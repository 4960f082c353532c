internal import Foundation
internal import PortolanConversion
internal import PortolanFeatures

extension PackageDraft {
  /// The conditions that no feature meets, each with its place: a layer of nothing is hardly ever what is meant.
  ///
  /// - Parameters:
  ///   - features: What was written.
  ///   - store: The written features; `nil` if there are none.
  /// - Returns: Sentences for people.
  /// - Throws: `FeatureStoreError` if the features cannot be counted.
  func notesOnConditions(
    of features: ConversionResult, in store: (any FeatureStore)?
  ) async throws(FeatureStoreError) -> [String] {
    let empty = Set(features.tables.filter { $0.readCount == 0 }.map { $0.name.lowercased() })
    let found = SpecificationProblems(specification.text)
    for data in specification.data where empty.contains(data.name.lowercased()) {
      guard let clause = data.whereClause else { continue }
      found.add("No feature of \"\(data.file)\" meets \"\(clause)\".", at: data.wherePath)
    }
    for layer in specification.maps.flatMap(\.layers) {
      guard let clause = layer.whereClause, let store, !empty.contains(layer.data.lowercased())
      else { continue }
      let query = QueryParameters(whereClause: clause)
      guard try await store.count(in: layer.data, matching: query) == 0 else { continue }
      found.add("No feature of \"\(layer.data)\" meets \"\(clause)\".", at: layer.wherePath)
    }
    return found.all.map { "\(specification.url.lastPathComponent), \($0.summary)" }
  }
}
