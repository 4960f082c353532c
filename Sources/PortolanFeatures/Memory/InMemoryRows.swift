internal import PortolanGeometry

internal import struct Foundation.UUID

/// The tables of an ``InMemoryFeatureStore`` while edits are carried out on them.
struct InMemoryRows: ListedRows {
  private(set) var tables: [InMemoryTable]
  let makeID: @Sendable () -> UUID

  init(_ tables: [InMemoryTable], makeID: @escaping @Sendable () -> UUID) {
    self.tables = tables
    self.makeID = makeID
  }

  private func newGlobalID() -> String { "{\(makeID().uuidString)}" }

  // MARK: Features

  func attributes(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> Attributes? {
    let table = tables[try index(of: table)]
    return table.index(of: objectID).map { table.features[$0].attributes }
  }

  func objectIDs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) -> [Int64] {
    tables[try index(of: table)].features.filter {
      $0.attributes[field]?.isEqual(to: value) ?? false
    }.map(\.objectID)
  }

  mutating func insert(
    _ values: [String: AttributeValue], _ geometry: Geometry?, into table: String, at: EditPlace
  ) throws(FeatureEditError) -> (objectID: Int64, globalID: String?) {
    let index = try index(of: table)
    let globalID = tables[index].schema.globalIDField.map { _ in newGlobalID() }
    let feature = try tables[index].nextFeature(values, geometry, globalID: globalID, at: at)
    tables[index].features.append(feature)
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
    tables[index].features[row].update(values, geometry)
  }

  mutating func delete(_ objectID: Int64, from table: String) throws(FeatureEditError) {
    let index = try index(of: table)
    guard let row = tables[index].index(of: objectID) else { return }
    tables[index].features.remove(at: row)
  }

  mutating func deletePairs(
    in table: String, where field: String, equals value: AttributeValue
  ) throws(FeatureEditError) {
    tables[try index(of: table)].features.removeAll {
      $0.attributes[field]?.isEqual(to: value) ?? false
    }
  }
}

// MARK: - Attachments

extension InMemoryRows {
  func attachments(
    of objectID: Int64, in table: String
  ) throws(FeatureEditError) -> [AttachmentRow] {
    tables[try index(of: table)].files.filter { $0.contents.objectID == objectID }.map(\.row)
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
    let file = InMemoryTable.File(
      id: tables[index].nextFileID, globalID: newGlobalID(),
      contents: .init(attachment, of: objectID))
    tables[index].files.append(file)
    tables[index].nextFileID += 1
    return file.row
  }

  mutating func update(
    _ id: Attachment.ID, _ attachment: NewAttachment, in table: String, at: EditPlace
  ) throws(FeatureEditError) {
    let index = try index(of: table)
    guard let file = tables[index].files.firstIndex(where: { $0.id == id }) else { return }
    let objectID = tables[index].files[file].contents.objectID
    tables[index].files[file].contents = .init(attachment, of: objectID)
  }

  mutating func delete(
    attachment id: Attachment.ID, in table: String
  ) throws(FeatureEditError) {
    tables[try index(of: table)].files.removeAll { $0.id == id }
  }
}

extension InMemoryTable {
  /// The index of a feature.
  func index(of objectID: Int64) -> Int? { features.index(of: objectID, by: \.objectID) }
}

extension InMemoryTable.File {
  fileprivate var row: AttachmentRow {
    AttachmentRow(id: id, globalID: globalID, objectID: contents.objectID)
  }
}

extension FeatureTableContents.AttachedFile {
  fileprivate init(_ attachment: NewAttachment, of objectID: Int64) {
    self.init(
      objectID: objectID, name: attachment.name, contentType: attachment.contentType,
      data: attachment.data)
  }
}
