internal import PortolanGeometry
internal import PortolanSQLite

/// The column of a table that holds its shapes.
struct GeometryColumn: Hashable, Sendable {
  /// The name, as the table declares it.
  let name: String
  let type: GeometryType?
  let hasZ: Bool
  let hasM: Bool
  /// The number of the spatial reference in this file.
  let srid: Int
  /// How the numbers of the blobs become coordinates; `nil` where nothing tells.
  let precision: CoordinatePrecision?
  /// The name of the spatial index; `nil` if there is none.
  let index: String?
  /// How shapes lie in the column.
  var format = TableFormat.geodatabase

  /// The type of a number in `st_geometry_columns`: 1 point, 4 multipoint, 5 line, 6 polygon;
  /// 2, 3 the single forms of the latter two; thousands for Z and M.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.2
  static func type(ofNumber number: Int) -> GeometryType? {
    switch number % 1000 {
    case 1: .point
    case 4: .multipoint
    case 2, 5: .polyline
    case 3, 6: .polygon
    default: nil
    }
  }

  static func hasZ(ofNumber number: Int) -> Bool { [1, 3].contains(number / 1000) }

  static func hasM(ofNumber number: Int) -> Bool { [2, 3].contains(number / 1000) }
}
