internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The parameters of a `find` request to a map service: a text in the fields of its layers.
///
/// - SeeAlso: [Find](https://developers.arcgis.com/rest/services-reference/enterprise/find/)
struct MapFind: Sendable {
  private let text: String
  /// Whether the text may be a part of a value, in any case; else it is the whole value.
  private let isPart: Bool
  /// The fields that are looked at, in lower case; all if there is none.
  private let fields: Set<String>
  private let layerIDs: Set<Int>
  private let conditions: [Int: String]
  private let reference: SpatialReference?
  private let returnsGeometry: Bool

  /// Reads a request.
  ///
  /// - Throws: ``DemoFailure`` without a text or layers.
  init(_ parameters: DemoParameters) throws {
    guard let text = parameters["searchText"], !text.isEmpty else {
      throw DemoFailure.badRequest("'searchText' is missing.")
    }
    self.text = text
    layerIDs = Set(parameters.list("layers").compactMap { Int($0) })
    guard !layerIDs.isEmpty else { throw DemoFailure.badRequest("'layers' is missing.") }
    isPart = parameters.bool("contains") ?? true
    fields = Set(parameters.list("searchFields").map { $0.lowercased() })
    conditions = try parameters.layerConditions
    reference = try FeatureQuery.reference(parameters, "sr")
    returnsGeometry = parameters.bool("returnGeometry") ?? true
  }

  /// The features found, each with the first of its fields that has the text.
  func answer(from content: HostedContent, now: Date) throws -> JSONValue {
    var results: [JSONValue] = []
    for table in content.layers where layerIDs.contains(table.id) {
      let fields = FieldList(table.schema.fields)
      let condition = try conditions[table.id].map {
        try WhereClause($0).bound(to: fields, of: table.schema.name, now: now)
      }
      for row in table.rows {
        guard condition?.matches(row.feature.attributes) ?? true,
          let result = try result(row.feature, of: table)
        else { continue }
        results.append(result)
      }
    }
    return ["results": .array(results)]
  }

  private func result(_ feature: Feature, of table: HostedTable) throws -> JSONValue? {
    let shown = MapServiceFeature(feature, of: table)
    for field in table.schema.fields where isSearched(field) {
      let value = shown.text(of: field.name)
      guard !(feature.attributes[field.name]?.isNull ?? true), matches(value) else { continue }
      var members = try shown.members(returnsGeometry: returnsGeometry, in: reference)
      members["foundFieldName"] = .string(field.name)
      members["value"] = .string(value)
      return .object(members)
    }
    return nil
  }

  private func isSearched(_ field: Field) -> Bool {
    fields.isEmpty || fields.contains(field.name.lowercased())
      || fields.contains(field.alias.lowercased())
  }

  private func matches(_ value: String) -> Bool {
    isPart ? value.lowercased().contains(text.lowercased()) : value == text
  }
}
