internal import PortolanFeatures

/// The rows of a query of a service, a page at a time, all with the fields of their table.
final class ServiceRows: Sendable {
  private let reader: FeaturePageReader
  /// The fields that rows should have, if not those that come.
  private let fields: FieldList?

  init(pages: FeaturePages, fields: FieldList?) {
    reader = pages.makeReader()
    self.fields = fields
  }

  /// The next rows, or `nil` at the end.
  func next() async throws(FeatureStoreError) -> [Feature]? {
    do {
      guard let page = try await reader.next() else { return nil }
      return arranged(page)
    } catch {
      throw FeatureStoreError(error)
    }
  }

  /// The features with the fields of the table, wherever the service has put them.
  private func arranged(_ page: FeatureSet) -> [Feature] {
    guard let fields, page.fields.map(\.name) != fields.fields.map(\.name) else {
      return page.features
    }
    let given = FieldList(page.fields)
    let positions = fields.fields.map { given.position(of: $0.name) }
    return page.features.map { feature in
      let values = positions.map { $0.map { feature.attributes.values[$0] } ?? .null }
      return Feature(
        objectID: feature.objectID, attributes: Attributes(fields, values),
        geometry: feature.geometry)
    }
  }
}
