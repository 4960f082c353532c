internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// The tables of a hosted service while edits are carried out on them.
struct HostedRows: ListedRows {
  private(set) var tables: [HostedTable]
  /// The generation that these edits make.
  let generation: Int64
  /// The replica that the edits come from, if any.
  let source: String?
  /// The global ids that clients gave to the rows they add, by the number of the edit.
  var givenIDs: [Int: String] = [:]
  /// Words on files, by the number of the edit.
  var keywords: [Int: String] = [:]
  private let makeID: @Sendable () -> UUID

  init(
    _ tables: [HostedTable], generation: Int64, source: String?,
    makeID: @escaping @Sendable () -> UUID
  ) {
    self.tables = tables
    self.generation = generation
    self.source = source
    self.makeID = makeID
  }

  /// The same without tables.
  var emptied: HostedRows {
    HostedRows([], generation: generation, source: source, makeID: makeID)
  }

  private func newID(_ given: String?) -> String {
    given.map(HostedValue.stored) ?? "{\(makeID().uuidString)}"
  }

  // MARK: Rows

  func attributes(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> Attributes? {
    tables[try index(of: table)].row(objectID)?.feature.attributes
  }

  func objectIDs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) -> [Int64] {
    tables[try index(of: table)].rows.filter {
      $0.feature.attributes[field]?.isEqual(to: value) ?? false
    }.map(\.feature.objectID)
  }

  mutating func insert(
    _ values: [String: AttributeValue], _ geometry: Geometry?, into table: String, at: EditPlace
  ) throws(FeatureEditError) -> (objectID: Int64, globalID: String?) {
    let index = try index(of: table)
    let globalID = tables[index].schema.globalIDField.map { _ in newID(givenIDs[at.edit]) }
    let feature = try tables[index].nextFeature(values, geometry, globalID: globalID, at: at)
    tables[index].append(
      HostedTable.Row(feature: feature, added: generation, changed: generation, source: source))
    tables[index].nextObjectID += 1
    return (feature.objectID, globalID)
  }

  mutating func update(
    _ objectID: Int64, in table: String, _ values: [String: AttributeValue],
    _ geometry: GeometryChange, at: EditPlace
  ) throws(FeatureEditError) {
    let index = try index(of: table)
    guard let row = tables[index].index(of: objectID) else {
      throw .noSuchRow(objectID: objectID, at)
    }
    tables[index].changeRow(at: row) { row in
      row.feature.update(values, geometry)
      row.changed = generation
      row.source = source
    }
  }

  mutating func delete(_ objectID: Int64, from table: String) throws(FeatureEditError) {
    let index = try index(of: table)
    guard let place = tables[index].index(of: objectID) else { return }
    let row = tables[index].removeRow(at: place)
    tables[index].rowTraces.append(
      HostedTable.Trace(
        objectID: objectID, globalID: tables[index].globalID(of: row.feature) ?? "",
        added: row.added, deleted: generation, source: source))
  }

  mutating func deletePairs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) {
    for id in try objectIDs(in: table, where: field, equals: value) {
      try delete(id, from: table)
    }
  }
}

// MARK: - Attachments

extension HostedRows {
  func attachments(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> [AttachmentRow] {
    tables[try index(of: table)].files(of: objectID).map(\.row)
  }

  func attachment(
    _ id: Attachment.ID, in table: String
  ) throws(FeatureEditError) -> AttachmentRow? {
    tables[try index(of: table)].files.first { $0.id == id }?.row
  }

  mutating func insert(
    _ attachment: NewAttachment, to objectID: Int64, in table: String, at: EditPlace
  ) throws(FeatureEditError) -> AttachmentRow {
    let index = try index(of: table)
    let file = HostedTable.File(
      id: tables[index].nextFileID, globalID: newID(attachment.globalID), objectID: objectID,
      name: attachment.name, contentType: attachment.contentType, data: attachment.data,
      keywords: keywords[at.edit] ?? "", added: generation, changed: generation, source: source)
    tables[index].files.append(file)
    tables[index].nextFileID += 1
    return file.row
  }

  mutating func update(
    _ id: Attachment.ID, _ attachment: NewAttachment, in table: String, at: EditPlace
  ) throws(FeatureEditError) {
    let index = try index(of: table)
    guard let place = tables[index].files.firstIndex(where: { $0.id == id }) else { return }
    tables[index].files[place].name = attachment.name
    tables[index].files[place].contentType = attachment.contentType
    tables[index].files[place].data = attachment.data
    tables[index].files[place].keywords = keywords[at.edit] ?? ""
    tables[index].files[place].changed = generation
    tables[index].files[place].source = source
  }

  mutating func delete(
    attachment id: Attachment.ID, in table: String
  ) throws(FeatureEditError) {
    let index = try index(of: table)
    guard let place = tables[index].files.firstIndex(where: { $0.id == id }) else { return }
    let file = tables[index].files.remove(at: place)
    tables[index].fileTraces.append(
      HostedTable.Trace(
        objectID: file.objectID, globalID: file.globalID, added: file.added,
        deleted: generation, source: source))
  }
}

extension HostedTable.File {
  var row: AttachmentRow { AttachmentRow(id: id, globalID: globalID, objectID: objectID) }
}
