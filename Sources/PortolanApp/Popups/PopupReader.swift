internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanPackages

/// Reads what the popup of one feature shows, from the stores behind it.
struct PopupReader {
  /// The most related records that are read for one relationship.
  static let maximumRelated = 100

  let source: PopupSource
  /// The formatting of values; the source of related values is added to it.
  let formatting: PopupFormatting

  private var schema: FeatureTableSchema { source.content.schema }
  private var definition: PopupDefinition { source.content.popup }

  /// The popup with the feature's files and related records; what cannot be read is reported.
  @concurrent func selection(_ index: Int) async -> PopupsModel.Selection {
    var problems: [Problem] = []
    let related = await relatedRecords(&problems)
    var formatting = formatting
    if !related.isEmpty {
      let tables = await relatedTables()
      formatting.relatedValue = Self.resolver(related, tables, formatting)
    }
    let attachments = await self.attachments(&problems)
    let measured = MeasuredFeature(source.feature, in: schema)
    return PopupsModel.Selection(
      index: index, feature: source.feature, geometry: geometry,
      popup: formatting.popup(of: measured.feature, in: measured.schema, as: definition),
      attachments: attachments,
      related: related.filter { shownRelationships.contains($0.key.id) }
        .sorted { $0.key.id < $1.key.id }.map(\.value), problems: problems)
  }

  /// The shape of the feature on WGS 84.
  private var geometry: Geometry? {
    guard let shape = source.feature.geometry, let own = schema.spatialReference else { return nil }
    // A shape that cannot be projected is not set off on the map; its popup is shown all the same.
    return try? Projection(from: own, to: .wgs84).project(shape)
  }

  private func attachments(_ problems: inout [Problem]) async -> [Attachment] {
    let isShown = definition.elements.contains { element in
      if case .attachments = element { true } else { false }
    }
    guard isShown, schema.hasAttachments else { return [] }
    do {
      return try await source.content.store.attachments(
        of: source.feature.objectID, in: schema.name)
    } catch {
      problems.append(Problem(error))
      return []
    }
  }

  /// The ids of the relationships whose records are listed.
  private var shownRelationships: Set<Int> {
    Set(
      definition.elements.compactMap { element in
        if case .relationship(let relationship) = element {
          relationship.relationshipID
        } else {
          nil
        }
      })
  }

  /// The related records that the popup lists or whose values it names.
  private func relatedRecords(
    _ problems: inout [Problem]
  ) async -> [RelationshipInfo: PopupsModel.RelatedRecords] {
    let isNamed = JSONValue.object(definition.json).text().contains("relationships/")
    var related: [RelationshipInfo: PopupsModel.RelatedRecords] = [:]
    for relationship in schema.relationships
    where isNamed || shownRelationships.contains(relationship.id) {
      do {
        related[relationship] = try await records(through: relationship)
      } catch {
        problems.append(Problem(error))
      }
    }
    return related
  }

  /// The records at the other end of a relationship, of which there may be more.
  func records(
    through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> PopupsModel.RelatedRecords {
    let found = try await source.content.store.relatedFeatures(
      to: source.feature.objectID, in: schema.name, through: relationship)
    let tables = await relatedTables()
    return records(
      Array(found.prefix(Self.maximumRelated)), relationship, Self.table(of: relationship, tables))
  }

  /// The tables of the store, which know how their dates are read.
  private func relatedTables() async -> [FeatureTableSchema] {
    // Without them dates are in the time zone of the map, as those of most tables.
    (try? await source.content.store.schemas()) ?? []
  }

  private static func table(
    of relationship: RelationshipInfo, _ tables: [FeatureTableSchema]
  ) -> FeatureTableSchema? {
    tables.first { $0.name.lowercased() == relationship.relatedTable.lowercased() }
  }

  private func records(
    _ features: [Feature], _ relationship: RelationshipInfo, _ table: FeatureTableSchema?
  ) -> PopupsModel.RelatedRecords {
    let keys = [relationship.keyField, relationship.relatedKeyField].map { $0.lowercased() }
    let titles = features.map { feature in
      let shown = feature.attributes.fields.filter { field in
        ![.objectID, .globalID, .guid, .blob].contains(field.type)
          && !keys.contains(field.name.lowercased())
      }
      return shown.map { field in
        formatting.of(field.name, in: table).text(
          of: feature.attributes[field.name] ?? .null, field: field, domain: field.domain)
      }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
    return PopupsModel.RelatedRecords(
      name: relationship.name, features: features, titles: titles)
  }

  /// Finds a value by relationship and field among records that were read.
  private static func resolver(
    _ related: [RelationshipInfo: PopupsModel.RelatedRecords], _ tables: [FeatureTableSchema],
    _ formatting: PopupFormatting
  ) -> PopupFormatting.RelatedValue {
    { id, name in
      guard let (relationship, records) = related.first(where: { $0.key.id == id }) else {
        return nil
      }
      guard let feature = records.features.first else { return "" }
      guard let value = feature.attributes[name] else { return nil }
      let field = feature.attributes.fields.first { $0.name.lowercased() == name.lowercased() }
      return formatting.of(name, in: table(of: relationship, tables))
        .text(of: value, field: field, domain: field?.domain)
    }
  }
}

extension PopupFormatting {
  /// The same for a field of a table: dates in an unknown time zone are shown as they are stored.
  fileprivate func of(_ field: String, in table: FeatureTableSchema?) -> PopupFormatting {
    guard table?.isTimeZoneUnknown(of: field) ?? false else { return self }
    var formatting = self
    formatting.timeZone = .gmt
    return formatting
  }
}
