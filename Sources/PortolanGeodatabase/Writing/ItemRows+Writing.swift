internal import Foundation
internal import PortolanGeometry
internal import PortolanSQLite

extension ItemRows {
  /// Fills the catalogue and its spatial index.
  func write(on connection: borrowing Connection) throws {
    try writeTypes(on: connection)
    var boxes = SpatialIndexPacking()
    for item in items { try write(item, on: connection, &boxes) }
    for (index, relation) in relations.enumerated() {
      try connection.insert(
        into: SystemTable.itemRelationships.name,
        [
          "ObjectID": .integer(Int64(index + 1)), "UUID": .text(relation.uuid),
          "Type": .text(relation.type.uuid), "OriginID": .text(relation.origin),
          "DestID": .text(relation.destination), "Properties": 1,
        ])
    }
    try connection.makeSpatialIndex(named: SystemTable.itemIndexName, key: "pkid", of: boxes)
  }

  private func writeTypes(on connection: borrowing Connection) throws(DatabaseError) {
    for (index, type) in ItemType.allCases.enumerated() {
      try connection.insert(
        into: SystemTable.itemTypes.name,
        [
          "ObjectID": .integer(Int64(index + 1)), "UUID": .text(type.rawValue),
          "Name": .text(type.name),
          "ParentTypeID": .text(type.parent?.rawValue ?? ItemType.noParent),
        ])
    }
    for (index, type) in ItemRelationshipType.all.enumerated() {
      try connection.insert(
        into: SystemTable.relationshipTypes.name,
        [
          "ObjectID": .integer(Int64(index + 1)), "UUID": .text(type.uuid),
          "Name": .text(type.name), "ForwardLabel": .text(type.forwardLabel),
          "BackwardLabel": .text(type.backwardLabel),
          "OrigItemTypeID": .text(type.origin.rawValue),
          "DestItemTypeID": .text(type.destination.rawValue),
          "IsContainment": .integer(type.isContainment ? 1 : 0),
        ])
    }
  }

  private func write(
    _ item: Item, on connection: borrowing Connection, _ boxes: inout SpatialIndexPacking
  ) throws {
    let text: (String?) -> SQLValue = { text in text.map { .text($0) } ?? .null }
    let kind = item.shapes.map { SQLValue.integer($0.datasetSubtype) } ?? .null
    let isKnownKind = item.shapes != nil || item.type == .workspace
    try connection.insert(
      into: SystemTable.items.name,
      [
        "ObjectID": .integer(item.id), "UUID": .text(item.uuid),
        "Type": .text(item.type.rawValue), "Name": text(item.name),
        "PhysicalName": text(item.name?.uppercased()), "Path": text(item.path),
        "Properties": .integer(item.type == .workspace ? 0 : 1),
        "DatasetSubtype1": isKnownKind ? 1 : .null, "DatasetSubtype2": kind,
        "DatasetInfo1": text(item.shapes?.column ?? item.registration?.service),
        "DatasetInfo2": text(item.registration?.owner), "Definition": text(item.definition),
        "Shape": try shape(of: item, &boxes),
      ])
  }

  private func shape(
    of item: Item, _ boxes: inout SpatialIndexPacking
  ) throws(GeometryBlobError) -> SQLValue {
    guard let extent = item.extent else { return .null }
    let encoder = GeometryBlobEncoder(precision: .degrees, srid: 4326, geometryType: .polygon)
    let encoded = try encoder.encode(.polygon(extent.polygon))
    if let box = encoded.extent { boxes.append(rowID: item.id, box: box) }
    return .blob(Data(encoded.bytes))
  }
}

extension TableLayout.Shapes {
  /// The kind of shape, as `GDB_Items.DatasetSubtype2` counts them.
  fileprivate var datasetSubtype: Int64 {
    switch type {
    case .point: 1
    case .multipoint: 2
    case .polyline: 3
    case .polygon, .envelope: 4
    }
  }
}
