internal import PortolanTiles

extension TileTableLayout {
  /// Finds out where the tiles of an MBTiles file are.
  ///
  /// - Throws: ``TileError/unsupported(file:reason:)`` if there is no `tiles`, or a view that
  ///   does more than put tables side by side.
  init(ofMBTiles database: TileDatabase) throws(TileError) {
    guard let (type, sql) = try database.declaration(of: "tiles") else {
      throw .unsupported(file: database.name, reason: "it has no table of tiles")
    }
    if type == "table" {
      self.init(table: "tiles")
    } else {
      guard let view = TileView(sql), let layout = try TileTableLayout(view, in: database) else {
        throw .unsupported(
          file: database.name, reason: "its view of tiles is no plain join of two tables")
      }
      self = layout
    }
    guard try isPresent(in: database) else {
      throw .unsupported(file: database.name, reason: "its table of tiles has other columns")
    }
  }

  /// The tables and columns that a view shows; `nil` if it does not show tiles.
  private init?(_ view: TileView, in database: TileDatabase) throws(TileError) {
    let names = ["zoom_level", "tile_column", "tile_row", "tile_data"]
    let columns = names.compactMap { view.columns[$0] }
    guard columns.count == names.count else { return nil }
    var owners: [Int] = []
    for column in columns {
      guard let owner = try view.table(of: column, in: database) else { return nil }
      owners.append(owner)
    }
    guard owners[0] == owners[1], owners[0] == owners[2] else { return nil }
    self.init(
      table: view.tables[owners[0]].name, level: columns[0].name, column: columns[1].name,
      row: columns[2].name, data: columns[3].name)
    guard view.tables.count == 2 else { return }
    guard owners[3] != owners[0], let (left, right) = view.join,
      let leftOwner = try view.table(of: left, in: database),
      let rightOwner = try view.table(of: right, in: database), leftOwner != rightOwner
    else { return nil }
    let isLeft = leftOwner == owners[3]
    contents = Contents(
      table: view.tables[owners[3]].name, key: isLeft ? left.name : right.name,
      reference: isLeft ? right.name : left.name)
  }

  /// Whether the tables are there, as tables, with those columns.
  private func isPresent(in database: TileDatabase) throws(TileError) -> Bool {
    guard try database.hasTable(table) else { return false }
    var own = [level, column, row]
    var others: [String] = []
    if let contents {
      guard try database.hasTable(contents.table) else { return false }
      own.append(contents.reference)
      others = [contents.key, data]
      let found = try database.columns(of: contents.table)
      guard others.allSatisfy({ found.contains($0.lowercased()) }) else { return false }
    } else {
      own.append(data)
    }
    let found = try database.columns(of: table)
    return own.allSatisfy { found.contains($0.lowercased()) }
  }
}

extension TileView {
  /// Which of the tables a column is of.
  fileprivate func table(
    of column: Column, in database: TileDatabase
  ) throws(TileError) -> Int? {
    if let alias = column.table?.lowercased() {
      return tables.firstIndex { $0.alias.lowercased() == alias }
    }
    for (index, table) in tables.enumerated() where try database.hasTable(table.name) {
      let found = try database.columns(of: table.name)
      if found.contains(column.name.lowercased()) { return index }
    }
    return nil
  }
}
