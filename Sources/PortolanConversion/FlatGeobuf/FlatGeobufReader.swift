internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Reads a FlatGeobuf file as a whole, whether it has an index of places or not.
///
/// - SeeAlso: [FlatGeobuf](https://flatgeobuf.org)
struct FlatGeobufReader {
  /// What files begin with; the byte behind it counts corrections of the format.
  static let mark: [UInt8] = [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62]
  private static let maximumSize = 1 << 31
  private static let maximumHeader = 10 << 20
  private static let maximumColumns = 10_000

  private let name: String
  private let bytes: [UInt8]
  private let title: String?
  private let hasZ: Bool
  private let hasM: Bool
  private let reference: SpatialReference?
  /// Whether the file names a spatial reference that is not known.
  private let namesUnknownReference: Bool
  private let columns: [FlatGeobufColumn]
  /// The kind of all shapes; unknown where each says its own.
  private let kind: FlatGeobufShape.Kind
  /// How many rows there must be; 0 where that is not known.
  private let count: Int
  /// Where the first row begins.
  private let start: Int

  /// Reads the header of the file.
  ///
  /// - Throws: `FeatureStoreError`.
  init(_ url: URL) throws(FeatureStoreError) {
    name = url.lastPathComponent
    do {
      let data = try Data(contentsOf: url, options: .mappedIfSafe)
      guard data.count <= Self.maximumSize else {
        throw FeatureStoreError.unsupported(file: name, feature: "more than two gigabytes")
      }
      bytes = Array(data)
    } catch let error as FeatureStoreError {
      throw error
    } catch {
      throw .unreadable(file: name, reason: error.localizedDescription)
    }
    let damage = FeatureStoreError.damaged(
      file: name, place: "the header", reason: "it is no FlatGeobuf, or is cut off")
    guard bytes.starts(with: Self.mark) else { throw damage }
    do {
      let header = try FlatTable(bytes, at: 8)
      title = try header.text(0)
      hasZ = try header.flag(3)
      hasM = try header.flag(4)
      let definition = try header.table(10)
      reference = try definition.flatMap { table throws(FlatTable.Fault) in
        try Self.reference(table)
      }
      namesUnknownReference =
        try reference == nil && definition?.text(4).map { !$0.isEmpty } == true
      let size = try FlatTable.number(bytes, 8, 4)
      columns = try Self.columns(header)
      let code = UInt8(truncatingIfNeeded: try header.number(2, size: 1) ?? 0)
      guard let kind = FlatGeobufShape.Kind(rawValue: code) else {
        throw FeatureStoreError.unsupported(file: name, feature: "shapes of the type \(code)")
      }
      self.kind = kind
      let count = try header.number(8, size: 8) ?? 0
      guard size <= Self.maximumHeader, count <= bytes.count else { throw FlatTable.Fault() }
      self.count = Int(count)
      let node = try header.number(9, size: 2).map { Int($0) } ?? 16
      start = 12 + Int(size) + Self.indexSize(Int(count), node)
    } catch let error as FeatureStoreError {
      throw error
    } catch {
      throw damage
    }
  }

  private static func columns(_ header: FlatTable) throws(FlatTable.Fault) -> [FlatGeobufColumn] {
    let tables = try header.tables(7)
    guard tables.count <= maximumColumns else { throw FlatTable.Fault() }
    var columns: [FlatGeobufColumn] = []
    var length = 0
    for table in tables {
      guard let name = try table.text(0),
        let kind = FlatGeobufColumn.Kind(
          rawValue: UInt8(truncatingIfNeeded: try table.number(1, size: 1) ?? 0))
      else { throw FlatTable.Fault() }
      let alias = try table.text(2)
      // Damaged columns may all have the same name, however long that is.
      length += name.utf8.count + (alias?.utf8.count ?? 0)
      guard length <= header.buffer.count else { throw FlatTable.Fault() }
      columns.append(FlatGeobufColumn(name: name, alias: alias, kind: kind))
    }
    return columns
  }

  /// The bytes of the index: a tree whose nodes have so many below them.
  private static func indexSize(_ count: Int, _ node: Int) -> Int {
    guard count > 0, node > 1 else { return 0 }
    var (nodes, level) = (count, count)
    repeat {
      level = (level + node - 1) / node
      nodes += level
    } while level > 1
    return nodes * 40
  }

  /// The rows with their shapes, under the name that the file gives or has.
  ///
  /// - Throws: `FeatureStoreError` if a row is cut off or leads out of the file, or if there are too many.
  func contents() throws(FeatureStoreError) -> TableFileContents {
    try TableFileContents.checkSize(
      rows: rowCount, columns: columns.count, byteCount: bytes.count, file: name)
    var rows: [Row] = []
    var failures: [ConversionResult.Failure] = []
    var offset = start
    while offset < bytes.count {
      do throws(FlatTable.Fault) {
        let size = Int(try FlatTable.number(bytes, offset, 4))
        guard size <= bytes.count - offset - 4 else { throw FlatTable.Fault() }
        let row = try row(FlatTable(bytes, at: offset))
        rows.append(row)
        if let shape = row.foreignShape { failures.append(failure(rows.count, shape)) }
        offset += 4 + size
      } catch {
        throw .damaged(
          file: name, place: "row \(rows.count + 1)", reason: "it is cut off, or leads out of it")
      }
    }
    guard count == 0 || rows.count == count else {
      throw .damaged(
        file: name, place: "the end", reason: "\(rows.count) of \(count) announced rows are there"
      )
    }
    var contents = contents(rows)
    for failure in failures { contents.add(failure) }
    return contents
  }

  /// How many rows there are before the first that is cut off.
  private var rowCount: Int {
    var (count, offset) = (0, start)
    // What is wrong with a row is said when it is read.
    while let size = (try? FlatTable.number(bytes, offset, 4)).map({ Int($0) }),
      size <= bytes.count - offset - 4
    {
      count += 1
      offset += 4 + size
    }
    return count
  }

  /// A row of the file.
  private struct Row {
    var values: [AttributeValue]
    var geometry: Geometry?
    /// What people call a shape that is not read, such as a collection.
    var foreignShape: String?
  }

  private func row(_ table: FlatTable) throws(FlatTable.Fault) -> Row {
    var row = Row(values: try values(table))
    guard let shape = try table.table(0) else { return row }
    let code = UInt8(truncatingIfNeeded: try shape.number(6, size: 1) ?? 0)
    switch kind == .unknown ? FlatGeobufShape.Kind(rawValue: code) : kind {
    case nil:
      row.foreignShape = code == 7 ? "a collection of shapes" : "a shape of the type \(code)"
    case let own? where own.mayHaveArcs:
      var curves = FlatGeobufCurves(within: shape.buffer.count)
      row.geometry = try curves.geometry(shape, own)
      if curves.hasTooManyArcs { row.foreignShape = "a shape of more than \(Path.mostArcs) arcs" }
    case let own?: row.geometry = try FlatGeobufShape.geometry(shape, own)
    }
    return row
  }

  private func failure(_ number: Int, _ shape: String) -> ConversionResult.Failure {
    ConversionResult.Failure(
      part: name, item: "row \(number)",
      reason: "it has \(shape), which is not supported; it is kept without a shape")
  }

  /// The values of a row by its columns; those that it does not name are null.
  private func values(_ row: FlatTable) throws(FlatTable.Fault) -> [AttributeValue] {
    var values = [AttributeValue](repeating: .null, count: columns.count)
    var rest = try row.bytes(1)
    func take(_ size: Int) throws(FlatTable.Fault) -> ArraySlice<UInt8> {
      guard size <= rest.count else { throw FlatTable.Fault() }
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size)
    }
    func takeNumber(_ size: Int) throws(FlatTable.Fault) -> Int {
      try take(size).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    while !rest.isEmpty {
      let number = try takeNumber(2)
      guard columns.indices.contains(number) else { throw FlatTable.Fault() }
      var size = columns[number].kind.size
      if size == nil { size = try takeNumber(4) }
      values[number] = columns[number].value(try take(size ?? 0))
    }
    return values
  }

  private func contents(_ rows: [Row]) -> TableFileContents {
    let types = columns.indices.map { type(of: $0, in: rows) }
    var fields = zip(columns, types).map { Field($0.name, $1, alias: $0.alias) }
    let key = ObjectIDColumn.index(among: fields) { field in rows.lazy.map { $0.values[field] } }
    let (objectIDField, note) = ObjectIDColumn.mark(key, among: &fields, of: name)
    let stem = (name as NSString).deletingPathExtension
    var contents = TableFileContents(
      name: title.flatMap { $0.isEmpty ? nil : $0 } ?? stem, fields: fields,
      objectIDField: objectIDField, reference: reference, geometryType: kind.type)
    contents.hasZ = hasZ
    contents.hasM = hasM
    contents.notes = [note].compactMap(\.self)
    if namesUnknownReference {
      contents.unknownReference = UnknownReference(
        fact: "The spatial reference that \"\(name)\" names is not known",
        remedy: "Say what the coordinates mean.")
    }
    contents.features = features(
      rows, FieldList(fields), key: key, types.indices.filter { types[$0] == .date })
    return contents
  }

  /// The type of a column: its texts are days if all say days, and stay texts where not all say moments.
  private func type(of column: Int, in rows: [Row]) -> FieldType {
    guard columns[column].kind == .dateTime else { return columns[column].type }
    let texts = rows.lazy.compactMap { row -> String? in
      if case .text(let text) = row.values[column] { text } else { nil }
    }
    if !texts.isEmpty, texts.allSatisfy(FlatGeobufColumn.isDay) { return .dateOnly }
    return texts.allSatisfy { FlatGeobufColumn.date($0) != nil } ? .date : .string
  }

  private func features(
    _ rows: [Row], _ fields: FieldList, key: Int?, _ moments: [Int]
  ) -> [Feature] {
    rows.enumerated().map { number, row in
      var values = row.values
      for column in moments {
        guard case .text(let text) = values[column] else { continue }
        values[column] = FlatGeobufColumn.date(text).map(AttributeValue.date) ?? .null
      }
      return ObjectIDColumn.feature(values, fields, key: key, number: number + 1, row.geometry)
    }
  }

  private static func reference(_ table: FlatTable) throws(FlatTable.Fault) -> SpatialReference? {
    let code = try table.number(1, size: 4) ?? 0
    // The numbers of others, such as those of the planets, mean something else here.
    let isListed = ["", "EPSG", "ESRI"].contains((try table.text(0) ?? "").uppercased())
    if isListed, code > 0, code < 1 << 31 { return SpatialReference(wkid: Int(code)) }
    let text = try table.text(4) ?? ""
    return text.isEmpty ? nil : SpatialReference(defined: text)
  }
}
