internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A file of comma-separated values that is being made of one table; points are columns of
/// longitude and latitude, or of x and y where they are no degrees, and of their heights, other shapes
/// one column of well-known text.
///
/// - SeeAlso: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
final class CSVTarget: FeatureStoreWriter {
  /// How much is written at once, in bytes.
  private static let pieceSize = 1 << 18

  private let table: FeatureTableSchema
  private let fields: [String]
  /// The fields of bytes, for which there are no columns.
  private let omittedFields: [String]
  /// How many rows have values that the file does not, by their fields.
  private var lost: [String: Int] = [:]
  private var file: StagedFile?
  private var pending = ""

  /// Begins a file.
  init(at url: URL, _ table: FeatureTableSchema) throws {
    self.table = table
    let withoutValues: [FieldType] = [.blob, .raster, .geometry]
    fields = table.fields.filter { !withoutValues.contains($0.type) }.map(\.name)
    omittedFields = table.fields.filter { withoutValues.contains($0.type) }.map(\.name)
    file = try StagedFile(replacing: url)
    let taken = Set(fields.map { $0.lowercased() })
    let names = Self.places(of: table).map { taken.contains($0) ? "shape_" + $0 : $0 }
    pending = Self.line((fields + names).map(Self.cell))
  }

  func append(
    _ feature: Feature, to name: String, attachments: [NewAttachment]
  ) throws -> String? {
    // Well-known text says of which type a shape is.
    let holdsAny = table.geometryType != nil && !Self.hasPoints(table)
    if !holdsAny, let refusal = table.refusal(of: feature.geometry) { return refusal }
    for field in omittedFields where feature.attributes[field] ?? .null != .null {
      lost[field, default: 0] += 1
    }
    var cells = fields.map { field in
      let value = feature.attributes[field] ?? .null
      if value.isInfinite { lost[field, default: 0] += 1 }
      return Self.text(value)
    }
    if Self.hasPoints(table) {
      cells += places(of: feature.geometry)
    } else if table.geometryType != nil {
      cells.append(feature.geometry.map { Self.cell($0.wellKnownText()) } ?? "")
    }
    pending += Self.line(cells)
    if pending.utf8.count >= Self.pieceSize { try flush() }
    return nil
  }

  /// Whether all shapes of a table are points, which have columns of numbers.
  static func hasPoints(_ table: FeatureTableSchema) -> Bool {
    table.geometryType == .point && !table.mayMixShapes
  }

  /// The names of the columns with the shapes.
  private static func places(of table: FeatureTableSchema) -> [String] {
    switch table.geometryType {
    case nil: []
    case .point? where hasPoints(table):
      (table.spatialReference?.isWGS84 == true ? ["longitude", "latitude"] : ["x", "y"])
        + (table.hasZ ? ["z"] : [])
    case .some: ["wkt"]
    }
  }

  /// The cells of a point.
  private func places(of geometry: Geometry?) -> [String] {
    guard case .point(let point)? = geometry, !point.x.isNaN else {
      return table.hasZ ? ["", "", ""] : ["", ""]
    }
    let heights = table.hasZ ? [point.z.map { $0.isNaN ? "" : "\($0)" } ?? ""] : []
    return ["\(point.x)", "\(point.y)"] + heights
  }

  func finish(replacing replaces: Bool) throws -> [Omission] {
    try flush()
    try file.take()?.commit(replacing: replaces)
    return lost.sorted { $0.key < $1.key }.map {
      Omission(table: table.name, .values(field: $0.key, rowCount: $0.value))
    }
  }

  private func flush() throws(FileError) {
    try file?.write(Data(pending.utf8))
    pending = ""
  }

  private static let special = Set(",;\t|\"\n\r".utf8)

  private static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .null, .blob: ""
    case .integer(let number): "\(number)"
    // One cell that is no number would make its column one of texts.
    case .double(let number): number.isFinite ? "\(number)" : ""
    case .text(let text): cell(text)
    case .date(let date): date.momentText
    }
  }

  /// A text in quotes, where it has what would end a cell, or what readers may take for that in the first line.
  private static func cell(_ text: String) -> String {
    let isPlain = !text.utf8.contains { special.contains($0) }
    return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
