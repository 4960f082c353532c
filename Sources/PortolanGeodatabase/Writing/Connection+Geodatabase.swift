package import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanSQLite

extension Connection {
  /// The four bytes that name the format: `Esri`.
  private static let applicationID: Int32 = 0x4573_7269

  /// Makes the tables of a new geodatabase, in a transaction that ``endGeodatabase`` commits.
  func beginGeodatabase(_ plan: GeodatabasePlan) throws(DatabaseError) {
    try beginFile(applicationID: Self.applicationID)
    for statement in RegistryTable.statements { try execute(statement) }
    for table in SystemTable.registered + [.serviceItems] {
      for statement in table.statements { try execute(statement) }
    }
    for table in plan.tables { try execute(table.tableStatement) }
  }

  /// Makes the indexes and triggers and writes the catalogue.
  func endGeodatabase(
    _ plan: GeodatabasePlan, _ fills: [TableFill], now: Date, makeID: @escaping () -> UUID
  ) throws {
    for fill in fills {
      let table = fill.layout
      try makeIndexes(of: table)
      if let name = table.spatialIndexName {
        try makeSpatialIndex(
          named: name, key: "pkid", of: fill.index, sortingIn: fill.folder)
        for statement in table.spatialTriggerStatements { try execute(statement) }
      }
      for statement in table.historyStatements { try execute(statement) }
    }
    let extents = fills.map(\.extent)
    let items = ItemRows(plan, extents: extents, now: now, makeID: makeID)
    try items.write(on: self)
    for statement in TableLayout.itemTriggerStatements { try execute(statement) }
    try ServiceRows(plan: plan, extents: Self.byName(plan, extents)).write(on: self)
    let moment = Int64(now.timeIntervalSince1970.rounded(.down))
    try RegistryRows(plan: plan, fills: fills, items: items, moment: moment).write(on: self)
    try execute("COMMIT")
  }

  private func makeIndexes(of table: TableLayout) throws {
    for statement in table.indexStatements {
      do {
        try execute(statement)
      } catch {
        guard error.code == .constraint else { throw error }
        throw try duplicate(in: table) ?? error
      }
    }
  }

  /// The row whose object or global id another one has as well.
  private func duplicate(in table: TableLayout) throws(DatabaseError) -> (any Error)? {
    let objectID = SQLIdentifier.quoted(table.schema.objectIDField)
    for name in [table.schema.objectIDField, table.schema.globalIDField].compactMap({ $0 }) {
      let query = try query(
        """
        SELECT max(\(objectID)) FROM \(SQLIdentifier.quoted(table.name))
        GROUP BY \(SQLIdentifier.quoted(name)) HAVING count(*) > 1 LIMIT 1
        """)
      guard try query.step() else { continue }
      return GeodatabaseWriterError.invalidValue(
        table: table.name, objectID: query.integer(at: 0), field: name,
        reason: "another row has that id")
    }
    return nil
  }

  private static func byName(_ plan: GeodatabasePlan, _ extents: [Envelope]) -> [String: Envelope] {
    Dictionary(zip(plan.tables.map(\.name), extents), uniquingKeysWith: { first, _ in first })
  }
}

extension GeodatabaseWriterError {
  /// What went wrong underneath while `url` was being written.
  package init(_ error: any Error, writing url: URL) {
    let file = url.path(percentEncoded: false)
    switch error {
    case let error as GeodatabaseWriterError: self = error
    case let error as DatabaseError where error.code == .full: self = .diskFull(file: file)
    case let error as DatabaseError: self = .notWritable(file: file, reason: error.message)
    default: self = .notWritable(file: file, reason: error.plainReason)
    }
  }
}
