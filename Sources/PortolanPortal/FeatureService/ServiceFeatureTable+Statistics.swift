internal import Foundation
public import PortolanFeatures
internal import PortolanJSON

extension ServiceFeatureTable {
  /// Figures of the features that match.
  ///
  /// - Parameters:
  ///   - definitions: The figures.
  ///   - fields: The fields by whose values the features are put into groups; one group if empty.
  ///   - parameters: Which features.
  /// - Returns: A feature without shape for each group, with its figures.
  /// - Throws: ``PortalError``.
  public func statistics(
    _ definitions: [StatisticDefinition], groupedBy fields: [String] = [],
    matching parameters: ServiceQueryParameters = ServiceQueryParameters()
  ) async throws(PortalError) -> FeatureSet {
    var request = selection(of: parameters)
    request.set("outStatistics", json: .array(definitions.map(\.json)))
    if !fields.isEmpty { request["groupByFieldsForStatistics"] = fields.joined(separator: ",") }
    return try await client.value(
      queryURL, request, orBecause: "there is no list of features",
      reading: { FeatureSet(json: $0) })
  }
}
