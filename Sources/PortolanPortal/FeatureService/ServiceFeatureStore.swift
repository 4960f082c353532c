public import Foundation
public import PortolanFeatures
public import PortolanGeometry
internal import PortolanTransport

/// Layers and tables of a service as a feature store, asked over the network.
///
/// Code for feature stores works on services with it: rows arrive in pages that are asked
/// for ahead of time, and a conversion writes them to a file.
public struct ServiceFeatureStore: FeatureStore {
  /// A table, and which of its features count.
  public struct Table: Sendable {
    /// The table.
    public let table: ServiceFeatureTable
    /// The name in the store.
    public let name: String
    /// A condition that all features meet, as a map's definition expression.
    public let definitionExpression: String?

    /// Creates a table of a store, under its own name by default.
    public init(
      _ table: ServiceFeatureTable, name: String? = nil, definitionExpression: String? = nil
    ) {
      self.table = table
      self.name = name ?? table.info.schema?.name ?? ""
      self.definitionExpression = definitionExpression
    }
  }

  let tables: [Table]
  private let parents = AttachmentParents()

  /// Creates a store; of several tables of the same name, the later ones get a number.
  public init(_ tables: [Table]) {
    var names: Set<String> = []
    self.tables = tables.filter { $0.table.info.schema != nil }.map { table in
      var name = table.name
      var number = 2
      while !names.insert(name.lowercased()).inserted {
        name = "\(table.name) \(number)"
        number += 1
      }
      return Table(
        table.table, name: name, definitionExpression: table.definitionExpression)
    }
  }

  public func schemas() async throws(FeatureStoreError) -> [FeatureTableSchema] {
    tables.compactMap(\.schema)
  }

  public func features(
    in table: String, matching query: QueryParameters
  ) -> FeatureSequence {
    FeatureSequence {
      do throws(FeatureStoreError) {
        let table = try self.table(table)
        let pages = table.table.pages(matching: table.parameters(for: query))
        let rows = ServiceRows(pages: pages, fields: query.outFields == nil ? table.fields : nil)
        return { () async throws(FeatureStoreError) in try await rows.next() }
      } catch {
        return { () async throws(FeatureStoreError) in throw error }
      }
    }
  }

  public func count(
    in table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Int {
    let table = try self.table(table)
    return try await answer { () async throws(PortalError) in
      try await table.table.count(matching: table.parameters(for: query))
    }
  }

  public func extent(
    of table: String, matching query: QueryParameters
  ) async throws(FeatureStoreError) -> Envelope? {
    let table = try self.table(table)
    return try await answer { () async throws(PortalError) in
      try await table.table.extent(matching: table.parameters(for: query))
    }
  }

  public func relatedFeatures(
    to objectID: Int64, in table: String, through relationship: RelationshipInfo
  ) async throws(FeatureStoreError) -> [Feature] {
    let table = try self.table(table).table
    return try await answer { () async throws(PortalError) in
      try await table.relatedFeatures(to: [objectID], through: relationship.id)[objectID]?
        .features ?? []
    }
  }

  public func attachments(
    of objectID: Int64, in table: String
  ) async throws(FeatureStoreError) -> [Attachment] {
    let table = try self.table(table)
    let attachments = try await answer { () async throws(PortalError) in
      try await table.table.attachments(of: objectID)
    }
    parents.note(attachments.map(\.id), of: objectID, in: table.name)
    return attachments
  }

  public func data(
    of attachment: Attachment.ID, in table: String
  ) async throws(FeatureStoreError) -> Data {
    let table = try self.table(table)
    guard let objectID = parents.parent(of: attachment, in: table.name) else {
      throw .unreadable(
        file: table.table.url.withoutSecrets,
        reason: "the attachment \(attachment) was not listed before")
    }
    return try await answer { () async throws(PortalError) in
      try await table.table.data(of: attachment, of: objectID)
    }
  }

  /// The feature that an attachment belongs to, if it was listed before.
  func parent(of attachment: Attachment.ID, in table: Table) -> Int64? {
    parents.parent(of: attachment, in: table.name)
  }

  /// Remembers the feature that an attachment belongs to.
  func note(attachment: Attachment.ID, of objectID: Int64, in table: Table) {
    parents.note([attachment], of: objectID, in: table.name)
  }

  private func table(_ name: String) throws(FeatureStoreError) -> Table {
    guard let table = tables.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw .noSuchTable(name: name, available: tables.map(\.name))
    }
    return table
  }

  private func answer<Value>(
    _ ask: () async throws(PortalError) -> Value
  ) async throws(FeatureStoreError) -> Value {
    do {
      return try await ask()
    } catch {
      throw FeatureStoreError(error)
    }
  }
}

extension ServiceFeatureStore.Table {
  /// The table under its name in the store.
  var schema: FeatureTableSchema? {
    var schema = table.info.schema
    schema?.name = name
    return schema
  }

  /// The fields that all features have.
  var fields: FieldList? { table.info.schema.map { FieldList($0.fields) } }

  /// A query of the store as one of the service.
  func parameters(for query: QueryParameters) -> ServiceQueryParameters {
    let conditions = [definitionExpression, query.whereClause].compactMap { $0 }
      .filter { !$0.allSatisfy(\.isWhitespace) }
    var parameters = ServiceQueryParameters(
      whereClause: conditions.count > 1
        ? conditions.map { "(\($0))" }.joined(separator: " AND ") : conditions.first,
      objectIDs: query.objectIDs, geometry: query.extent.map { .envelope($0) },
      geometrySpatialReference: query.extent.flatMap { _ in table.info.schema?.spatialReference },
      spatialRelationship: .envelopeIntersects, orderBy: query.orderBy, offset: query.offset,
      limit: query.limit, returnsGeometry: query.returnsGeometry, outFields: query.outFields)
    // Points cannot be simplified; layers that cannot be asked for it say about which version they
    // are.
    switch table.info.schema?.geometryType {
    case .polyline, .polygon: parameters.maxAllowableOffset = query.maxAllowableOffset
    default: break
    }
    return parameters
  }
}
