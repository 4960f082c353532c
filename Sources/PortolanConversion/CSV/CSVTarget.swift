internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A file of comma-separated values that is being made of one table; points are columns of
/// longitude and latitude, or of x and y.
///
/// - SeeAlso: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
final class CSVTarget: FeatureStoreWriter {
  /// How much is written at once, in bytes.
  private static let pieceSize = 1 << 18

  private let table: FeatureTableSchema
  private let fields: [String]
  private let projection: Projection?
  private var file: StagedFile?
  private var pending = ""
  private var shapeCount = 0

  /// Begins a file.
  init(
    at url: URL, _ table: FeatureTableSchema, coordinates: Conversion.Coordinates
  ) throws {
    self.table = table
    let withoutValues: [FieldType] = [.blob, .raster, .geometry]
    fields = table.fields.filter { !withoutValues.contains($0.type) }.map(\.name)
    let native = table.geometryType == nil ? nil : table.spatialReference
    projection =
      switch (coordinates, native) {
      case (.native, _), (.wgs84, nil): nil
      case (.wgs84, let native?): try Projection(from: native, to: .wgs84)
      }
    file = try StagedFile(replacing: url)
    let isGeographic = projection != nil || native?.isWGS84 ?? true
    let places = isGeographic ? ["longitude", "latitude"] : ["x", "y"]
    let isPoint = table.geometryType == .point
    pending = Self.line((fields + (isPoint ? places : [])).map(Self.cell))
  }

  func append(
    _ feature: Feature, to name: String, attachments: [NewAttachment]
  ) throws -> String? {
    var cells = fields.map { Self.text(feature.attributes[$0] ?? .null) }
    if table.geometryType == .point {
      var geometry = feature.geometry
      if let projection, let shape = geometry {
        do { geometry = try projection.project(shape) } catch { return error.plainReason }
      }
      if case .point(let point)? = geometry {
        cells += ["\(point.x)", "\(point.y)"]
      } else {
        cells += ["", ""]
      }
    } else if feature.geometry != nil {
      shapeCount += 1
    }
    pending += Self.line(cells)
    if pending.utf8.count >= Self.pieceSize { try flush() }
    return nil
  }

  func finish() throws -> [Omission] {
    try flush()
    try file.take()?.commit()
    return shapeCount > 0 ? [Omission(table: table.name, .shapes(rowCount: shapeCount))] : []
  }

  private func flush() throws(FileError) {
    try file?.write(Data(pending.utf8))
    pending = ""
  }

  private static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\r\n" }

  private static func text(_ value: AttributeValue) -> String {
    switch value {
    case .null, .blob: ""
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .text(let text): cell(text)
    case .date(let date): date.ISO8601Format()
    }
  }

  /// A text in quotes, where it has what would end a cell.
  private static func cell(_ text: String) -> String {
    let isPlain = !text.utf8.contains { [44, 34, 10, 13].contains($0) }
    return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
