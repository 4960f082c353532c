internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanSQLite

/// Answers taps on one table from the pages of the file, before SQLite has opened it.
///
/// SQLite parses the whole schema first, and the definition of the table is then asked for with a
/// dozen statements; a first tap takes some three fifths of that time so. Whatever is unusual ends
/// in an error and is for SQLite.
///
/// - SeeAlso: [The R*Tree Module, 7.1](https://www.sqlite.org/rtree.html), on its shadow tables
final class DirectTap {
  private let rows: StoredTable
  private let nodes: StoredTable
  private let nodeData: Int
  private let shape: Int
  private let precision: CoordinatePrecision

  /// The most nodes of the index that one tap looks at; those of a sound one are a handful.
  private static let mostNodes = 1_000

  /// The most levels of the index, as SQLite has it.
  private static let mostLevels = 40

  /// Finds the table, its shapes and its index.
  init(_ table: String, _ pages: DatabasePages) throws(PageError) {
    let asked = TableName.unqualified(table)
    let registry = try pages.rows(of: "GDB_TableRegistry", ["table_name", "rowid_column"])
    guard let registered = registry?.first(where: { Self.isName($0[0], asked) }),
      case .text(let name) = registered[0], case .text(let key) = registered[1],
      let rows = try pages.table(named: name), let id = rows.index(of: key), rows.isRowID(id),
      !Set(rows.columnNames.map { $0.lowercased() }).isSuperset(of: TableStorage.trackingColumns),
      let column = try Self.shapeColumn(of: name, rows, pages), let shape = rows.index(of: column)
    else { throw .unusual }
    let index = "st_spindex__\(name)_\(column)"
    guard try Self.isSpatialIndex(index, pages),
      let nodes = try pages.table(named: index + "_node"), let nodeData = nodes.index(of: "data"),
      let number = nodes.index(of: "nodeno"), nodes.isRowID(number),
      let precision = try Self.precision(of: name, pages)
    else { throw .unusual }
    self.rows = rows
    self.nodes = nodes
    self.nodeData = nodeData
    self.shape = shape
    self.precision = precision
  }

  /// The object ids of the shapes near a place, as ``GeodatabaseReader`` finds them.
  func objectIDs(
    touching place: Coordinate, within tolerance: Double, limit: Int
  ) throws -> [Int64] {
    let probe = GeometryBlobProbe(at: place, tolerance: tolerance, precision: precision)
    var ids: [Int64] = []
    for row in try candidates(place, tolerance) where ids.count < limit {
      // A place of the index may be left over; SQLite leaves it out likewise.
      guard let value = try rows.value(of: shape, inRow: row), value != .null else { continue }
      guard case .blob(let blob) = value else { throw PageError.unusual }
      let isTouched = try unsafe blob.withUnsafeBytes { bytes in
        unsafe bytes.isEmpty ? false : try unsafe probe.touches(bytes)
      }
      if isTouched { ids.append(row) }
    }
    return ids.sorted()
  }

  /// The rows whose boxes in the index meet the place.
  private func candidates(
    _ place: Coordinate, _ tolerance: Double
  ) throws(PageError) -> [Int64] {
    var found: [Int64] = []
    var left = Self.mostNodes
    var level = try depth()
    var numbers: [Int64] = [1]
    while true {
      var below: [Int64] = []
      for number in numbers {
        left -= 1
        guard left >= 0 else { throw .unusual }
        try Self.entries(of: node(number), near: place, tolerance, into: &below)
      }
      guard level > 0 else {
        found = below
        break
      }
      level -= 1
      numbers = below
    }
    return found
  }

  private func depth() throws(PageError) -> Int {
    let root = try node(1)
    guard root.count >= 4 else { throw .unusual }
    let depth = Int(root[0]) << 8 | Int(root[1])
    guard depth <= Self.mostLevels else { throw .unusual }
    return depth
  }

  private func node(_ number: Int64) throws(PageError) -> [UInt8] {
    guard case .blob(let data)? = try nodes.value(of: nodeData, inRow: number) else {
      throw .unusual
    }
    return [UInt8](data)
  }

  /// Adds the numbers of the entries of a node that meet a box: eight bytes, then the least and the
  /// greatest x, then those of y, as floats.
  private static func entries(
    of node: [UInt8], near place: Coordinate, _ tolerance: Double, into found: inout [Int64]
  ) throws(PageError) {
    guard node.count >= 4 else { throw .unusual }
    let count = Int(node[2]) << 8 | Int(node[3])
    guard 4 + count * 24 <= node.count else { throw .unusual }
    for start in stride(from: 4, to: 4 + count * 24, by: 24) {
      guard edge(node, start + 8) <= place.x + tolerance,
        edge(node, start + 12) >= place.x - tolerance,
        edge(node, start + 16) <= place.y + tolerance,
        edge(node, start + 20) >= place.y - tolerance
      else { continue }
      found.append(node[start..<start + 8].reduce(0) { $0 << 8 | Int64($1) })
    }
  }

  private static func edge(_ node: [UInt8], _ offset: Int) -> Double {
    Double(Float(bitPattern: node[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }))
  }
}

// MARK: - What the file says of its tables

extension DirectTap {
  private static func isName(_ value: SQLValue, _ name: String) -> Bool {
    if case .text(let text) = value { text.isSameName(as: name) } else { false }
  }

  private static func shapeColumn(
    of table: String, _ rows: StoredTable, _ pages: DatabasePages
  ) throws(PageError) -> String? {
    let columns = try pages.rows(of: "st_geometry_columns", ["f_table_name", "f_geometry_column"])
    let own = (columns ?? []).filter { isName($0[0], table) }.compactMap { row in
      if case .text(let column) = row[1] { column } else { nil }
    }
    return own.first { rows.index(of: $0) != nil }
  }

  /// Whether a name is that of an index of boxes as geodatabases have it.
  private static func isSpatialIndex(
    _ name: String, _ pages: DatabasePages
  ) throws(PageError) -> Bool {
    guard let sql = try pages.declaration(of: name)?.lowercased(),
      let start = sql.range(of: " using rtree")
    else { return false }
    let words = sql[start.upperBound...].split { !$0.isLetter && !$0.isNumber && $0 != "_" }
    return words == ["pkid", "minx", "maxx", "miny", "maxy"]
  }

  /// The grid of the coordinates, by the definition of the table.
  private static func precision(
    of table: String, _ pages: DatabasePages
  ) throws(PageError) -> CoordinatePrecision? {
    let item = try pages.row(
      of: "GDB_Items", where: "Name", is: "main.\(table)", ["Definition"])
    guard case .text(let definition)? = item?.first else { return nil }
    return PrecisionText.precision(in: definition)
  }
}
