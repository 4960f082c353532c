internal import Foundation
public import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// Writes features as comma-separated values piece by piece, so that no more than a feature is held.
///
/// The first line names the columns. Points have their coordinates in columns of their own, other
/// shapes, and those of tables that may mix them, are one column of well-known text. A value that is missing is an empty cell; cells with a
/// comma, a quote or a line break are quoted.
///
/// - SeeAlso: [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)
public struct CSVFeatureWriter: Sendable {
  private let fields: [String]
  private let shape: [String]
  private let isPoint: Bool

  /// Creates a writer of the features of an export.
  public init(_ export: FeatureExport) {
    fields = export.fieldNames
    isPoint = export.schema.geometryType == .point && !export.schema.mayMixShapes
    let names =
      switch export.schema.geometryType {
      case _ where export.schema.mayMixShapes: ["wkt"]
      case nil: [String]()
      case .point?:
        (export.spatialReference?.isWGS84 == true ? ["longitude", "latitude"] : ["x", "y"])
          + (export.schema.hasZ ? ["z"] : [])
      case .some: ["wkt"]
      }
    let taken = Set(fields.map { $0.lowercased() })
    shape = names.map { taken.contains($0) ? "shape_" + $0 : $0 }
  }

  /// The line with the names of the columns.
  public var opening: String { Self.line((fields + shape).map(Self.cell)) }

  /// The line of a feature.
  public func text(of feature: Feature) -> String {
    let values = fields.map { Self.cell((feature.attributes[$0] ?? .null).geoJSON) }
    return Self.line(values + shapeCells(feature.geometry))
  }

  private func shapeCells(_ geometry: Geometry?) -> [String] {
    guard let geometry else { return shape.map { _ in "" } }
    guard isPoint else { return shape.map { _ in Self.cell(geometry.wellKnownText()) } }
    let numbers = geometry.geoJSON()["coordinates"]?.array ?? []
    return shape.indices.map { numbers.indices.contains($0) ? Self.cell(numbers[$0]) : "" }
  }

  private static func line(_ cells: [String]) -> String { cells.joined(separator: ",") + "\n" }

  private static func cell(_ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .string(let text): cell(text)
    default: value.text()
    }
  }

  private static func cell(_ text: String) -> String {
    // By scalars: a carriage return and a line feed are one character.
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
