internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Reads a shapefile: the shapes (`.shp`), in the order of their index (`.shx`), their rows (`.dbf`), their
/// reference (`.prj`).
struct ShapefileReader {
  private let name: String
  private let shapes: ShapefileBytes
  private let records: ShapefileRecords
  private let rows: DBaseTable?
  private let type: Int
  /// Whether the shapes are multipatches, without which the rows are read.
  private let holdsMultipatches: Bool
  private let projection: ProjectionFile

  /// Reads the files whose `.shp` is at `url`.
  ///
  /// - Throws: `FeatureStoreError`.
  init(_ url: URL) throws(FeatureStoreError) {
    name = url.lastPathComponent
    guard let data = Data(besideShapes: url, ending: "shp") else {
      throw .unreadable(file: name, reason: "it is absent, or you may not read it")
    }
    shapes = ShapefileBytes(data)
    guard shapes.big(0) == ShapefileRecords.mark, let type = shapes.little(32) else {
      throw .damaged(file: name, place: "the header", reason: "it is no shapefile")
    }
    holdsMultipatches = type == ShapefileShape.multipatch
    guard holdsMultipatches || ShapefileShape.types.contains(type) else {
      throw .unsupported(file: name, feature: "shapes of the type \(type)")
    }
    self.type = holdsMultipatches ? 0 : type
    let encoding = Data(besideShapes: url, ending: "cpg").map {
      String(decoding: $0, as: UTF8.self)
    }
    let rows = try Data(besideShapes: url, ending: "dbf").map { data throws(FeatureStoreError) in
      try DBaseTable(data, encoding: encoding, file: url.deletingPathExtension().lastPathComponent)
    }
    self.rows = rows
    let index = Data(besideShapes: url, ending: "shx").map { ShapefileBytes($0) }
    records = ShapefileRecords(shapes, index: index, rowCount: rows?.count)
    // Shapes may have no rows.
    try TableFileContents.checkSize(
      rows: max(records.count, rows?.count ?? 0), columns: rows?.fields.count ?? 0,
      byteCount: shapes.count + (rows?.byteCount ?? 0), file: name)
    projection = ProjectionFile(beside: url)
  }

  /// Reads all rows; those whose shape cannot be read are without one.
  func contents() -> TableFileContents {
    var fields = rows?.fields ?? []
    let count = max(records.count, rows?.count ?? 0)
    let key = ObjectIDColumn.index(among: fields) { field in
      // Rows that were deleted have no id to tell from others.
      (0..<count).lazy.compactMap { row in rows?.value(row, of: field) }
    }
    let (objectIDField, note) = ObjectIDColumn.mark(key, among: &fields, of: name)
    let list = FieldList(fields)
    var contents = TableFileContents(
      name: (name as NSString).deletingPathExtension, fields: fields,
      objectIDField: objectIDField, reference: projection.reference, geometryType: geometryType)
    contents.hasZ = (11...18).contains(type)
    contents.notes = notes + [note].compactMap(\.self)
    // A file of rows alone has no coordinates.
    if type > 0 { contents.unknownReference = projection.unknown }
    for row in 0..<count {
      guard let values = rows.map({ $0.values(row) }) ?? [] else { continue }
      var geometry: Geometry?
      do throws(ShapefileShape.Fault) { geometry = try shape(row) } catch {
        contents.add(
          ConversionResult.Failure(
            part: name, item: "shape \(row + 1)",
            reason: "\(error.reason); its row is kept without a shape"))
      }
      contents.features.append(
        ObjectIDColumn.feature(values, list, key: key, number: row + 1, geometry))
    }
    return contents
  }

  private func shape(_ row: Int) throws(ShapefileShape.Fault) -> Geometry? {
    // A file of rows alone has shapes of no type.
    guard type > 0 else { return nil }
    guard let place = records.place(row) else {
      throw ShapefileShape.Fault(reason: "the file ends before it, or is damaged there")
    }
    return try ShapefileShape(shapes, at: place).geometry(inFileOf: type)
  }

  /// What is to be known of the rows, in sentences.
  private var notes: [String] {
    (holdsMultipatches
      ? ["The rows of \"\(name)\" are read without their shapes, which are multipatches."] : [])
      + encodingNotes
      + (rows?.memoFields ?? []).map {
        "The field \"\($0)\" is empty: its values are memos in a .dbt or .fpt file, which is not read."
      }
  }

  /// In which encoding the names and texts of the rows are, where that is not UTF-8, in sentences.
  private var encodingNotes: [String] {
    guard let encodings = rows?.otherEncodings, !encodings.isEmpty else { return [] }
    return [
      "Texts of \"\((name as NSString).deletingPathExtension).dbf\" were read as "
        + "\(encodings.sorted().joined(separator: " and ")). If they look wrong, put the name of their "
        + "encoding into a .cpg file beside it."
    ]
  }

  private var geometryType: GeometryType? {
    switch type % 10 {
    case 1: .point
    case 3: .polyline
    case 5: .polygon
    case 8: .multipoint
    default: nil
    }
  }
}
