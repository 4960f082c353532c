internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanJSON
internal import PortolanPortal

/// Makes a geodatabase from query results, where a service makes none itself.
///
/// It is a copy: it cannot be synchronized, and its tables are not related to each other.
struct QueryGeodatabase {
  let options: GenerateGeodatabaseParameters
  let source: MapSources.Features?
  let client: RESTClient
  let environment: OfflineEnvironment

  /// Asks for the features, a page at a time, and writes them.
  ///
  /// - Parameters:
  ///   - url: The file, which appears once it is whole.
  ///   - willFinish: Called before that with how many features of each layer have no shapes, since
  ///     those that came cannot be read.
  /// - Throws: ``PortolanPortal/PortalError``, `GeodatabaseWriterError`,
  ///   ``OfflineMapError/serviceChanged(service:)``.
  @concurrent func write(
    to url: URL, willFinish: ([String: Int]) async throws -> Void
  ) async throws {
    guard let source else {
      throw OfflineMapError.serverJobForgotten(service: url.lastPathComponent)
    }
    let rows = GeodatabaseRows(options: options, source: source)
    let layers = rows.layers
    let definition = GeodatabaseDefinition(
      name: source.service.url.deletingLastPathComponent().lastPathComponent,
      tables: layers.map { source.table($0.info, $0.schema) })
    let makeID = environment.surroundings.makeID
    let writer = try GeodatabaseWriter(
      at: url, definition, now: environment.surroundings.now(), makeID: makeID)
    var unreadable: [String: Int] = [:]
    var related = RelatedRows(rows: rows, client: client)
    for layer in layers where layer.option.queryOption != .none {
      let count = try await write(layer, of: rows, to: writer, &related)
      if count > 0 { unreadable[layer.info.name, default: 0] += count }
    }
    while let layer = related.next() {
      let table = rows.table(layer, client)
      try await related.forEachPage(of: layer) { features in
        try await append(features, of: layer, from: table, to: writer)
      }
    }
    try await source.checkUnchanged(layers.map(\.option.layerID))
    try await willFinish(unreadable)
    try writer.finish()
  }

  /// Writes the rows that a query of a layer gives, then those that edits of others hid from its pages.
  ///
  /// - Returns: How many have shapes that cannot be read.
  private func write(
    _ layer: GeodatabaseRows.Layer, of rows: GeodatabaseRows,
    to writer: borrowing GeodatabaseWriter, _ related: inout RelatedRows
  ) async throws -> Int {
    let (table, whole) = (rows.table(layer, client), rows.query(layer))
    var taken = ReceivedRows()
    var unreadable = try await write(
      layer, matching: whole, of: table, to: writer, &taken, &related)
    let missed = try await taken.missed(
      whole, of: table, in: rows.source.service, layer.option.layerID)
    guard !missed.isEmpty else { return unreadable }
    var rest = ServiceQueryParameters()
    rest.outSpatialReference = whole.outSpatialReference
    rest.objectIDs = missed
    unreadable += try await write(layer, matching: rest, of: table, to: writer, &taken, &related)
    return unreadable
  }

  private func write(
    _ layer: GeodatabaseRows.Layer, matching query: ServiceQueryParameters,
    of table: ServiceFeatureTable, to writer: borrowing GeodatabaseWriter,
    _ taken: inout ReceivedRows, _ related: inout RelatedRows
  ) async throws -> Int {
    var unreadable = 0
    for try await page in table.pages(matching: query) {
      unreadable += page.unreadableShapes.count
      let features = taken.new(in: page.features)
      try await append(features, of: layer, from: table, to: writer)
      related.add(features, of: layer)
    }
    return unreadable
  }

  /// Writes features with what is attached to them.
  private func append(
    _ features: [Feature], of layer: GeodatabaseRows.Layer, from table: ServiceFeatureTable,
    to writer: borrowing GeodatabaseWriter
  ) async throws {
    let lists = try await attachments(of: features, layer.schema, table)
    for feature in features {
      let files = try await files(lists[feature.objectID] ?? [], of: feature, table)
      try writer.append(feature, to: layer.schema.name, attachments: files)
    }
  }

  /// What is attached to features, by their object ids.
  private func attachments(
    of features: [Feature], _ schema: FeatureTableSchema, _ table: ServiceFeatureTable
  ) async throws(PortalError) -> [Int64: [Attachment]] {
    guard schema.hasAttachments else { return [:] }
    return try await table.attachments(of: features.map(\.objectID))
  }

  /// Fetches what is attached to one feature: that of all of a page would fill the memory.
  private func files(
    _ attachments: [Attachment], of feature: Feature, _ table: ServiceFeatureTable
  ) async throws(PortalError) -> [NewAttachment] {
    var files: [NewAttachment] = []
    for attachment in attachments {
      guard let data = try await data(of: attachment, of: feature, table) else { continue }
      files.append(
        NewAttachment(name: attachment.name, contentType: attachment.contentType, data: data))
    }
    return files
  }

  /// The contents of an attachment; `nil` if it was removed since it was listed.
  private func data(
    of attachment: Attachment, of feature: Feature, _ table: ServiceFeatureTable
  ) async throws(PortalError) -> Data? {
    do throws(PortalError) {
      return try await table.data(of: attachment, of: feature.objectID)
    } catch {
      guard error.saysGone else { throw error }
      let there = try await table.attachments(of: feature.objectID)
      guard !there.contains(where: { $0.id == attachment.id }) else { throw error }
      return nil
    }
  }
}
