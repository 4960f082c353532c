internal import Foundation
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry

/// A file of comma-separated values that is being made of one table; points are columns of
/// longitude and latitude, or of x and y, other shapes one column of well-known text.
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
    let places =
      switch table.geometryType {
      case nil: [String]()
      case .point?: isGeographic ? ["longitude", "latitude"] : ["x", "y"]
      case .some: ["wkt"]
      }
    let taken = Set(fields.map { $0.lowercased() })
    let names = places.map { taken.contains($0) ? "shape_" + $0 : $0 }
    pending = Self.line((fields + names).map(Self.cell))
  }

  func append(
    _ feature: Feature, to name: String, attachments: [NewAttachment]
  ) throws -> String? {
    var cells = fields.map { Self.text(feature.attributes[$0] ?? .null) }
    var geometry = feature.geometry
    if let projection, let shape = geometry {
      do { geometry = try projection.project(shape) } catch { return error.plainReason }
    }
    if table.geometryType == .point {
      if case .point(let point)? = geometry {
        cells += ["\(point.x)", "\(point.y)"]
      } else {
        cells += ["", ""]
      }
    } else if table.geometryType != nil {
      cells.append(geometry.map { Self.cell($0.wellKnownText()) } ?? "")
    }
    pending += Self.line(cells)
    if pending.utf8.count >= Self.pieceSize { try flush() }
    return nil
  }

  func finish() throws -> [Omission] {
    try flush()
    try file.take()?.commit()
    return []
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
