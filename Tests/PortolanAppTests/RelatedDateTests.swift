import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import Testing

@testable import PortolanApp

/// Dates of related records in popups.
struct RelatedDateTests {
  @Test(arguments: [(true, "12:00 PM"), (false, "9:00 PM")])
  func `Dates of related records are read as their own table says`(
    _ isUnknown: Bool, _ clock: String
  ) async throws {
    let key = Field("OBJECTID", .objectID)
    let visited = Field("VISITED", .date)
    let site = FeatureTableSchema(
      name: "sites", fields: [key],
      relationships: [
        RelationshipInfo(
          id: 0, name: "visits", relatedTable: "Visits", cardinality: .oneToOne, role: .origin,
          keyField: "OBJECTID", relatedKeyField: "OBJECTID")
      ])
    let visits = FeatureTableSchema(
      name: "visits", fields: [key, visited], hasDatesInUnknownTimeZone: isUnknown)
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList(site.fields), [.integer(1)]))
    let noon = Date(timeIntervalSince1970: 43_200)
    let visit = Feature(
      objectID: 1, attributes: Attributes(FieldList(visits.fields), [.integer(1), .date(noon)]))
    let store = InMemoryFeatureStore([
      FeatureTableContents(schema: site, features: [feature]),
      FeatureTableContents(schema: visits, features: [visit]),
    ])
    let content = FeatureLayerContent(
      store: store, schema: site, drawingInfo: DrawingInfo(),
      popup: PopupDefinition(json: ["title": "{relationships/0/VISITED}"]))
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let reader = PopupReader(
      source: PopupSource(layerID: "a", layerTitle: "Sites", feature: feature, content: content),
      formatting: PopupFormatting(timeZone: zone))
    let selection = await reader.selection(0)
    #expect(selection.problems.isEmpty)
    #expect(selection.popup.title.contains(clock))
    let records = try await reader.records(through: site.relationships[0])
    #expect(records.titles.count == 1 && records.titles[0].contains(clock))
  }
}
