package import PortolanGeometry
internal import PortolanSQLite

/// The column of a table that holds its shapes.
package struct GeometryColumn: Sendable {
  /// The name, as the table declares it.
  package let name: String
  package let type: GeometryType?
  package let hasZ: Bool
  package let hasM: Bool
  /// The number of the spatial reference in this file.
  package let srid: Int
  /// How the numbers of the blobs become coordinates; `nil` where that is unknown.
  package let precision: CoordinatePrecision?
  /// The name of the spatial index; `nil` if there is none.
  package let index: String?
  /// How shapes lie in the column.
  package let format: any TableFormat
  /// Whether all shapes that were looked at are of a kind that is not read; ``type`` is `nil` then.
  package var holdsForeignShapes = false
  /// Whether the column is declared to hold shapes of any type, or of none that is known.
  package var mayMixShapes = false
  /// Whether single shapes may come without heights although others have them.
  package var mayLackHeights = false
  /// Whether shapes of any type may be read from the column.
  package var holdsShapesOfAnyType: Bool { mayMixShapes && !holdsForeignShapes }

  package init(
    name: String, type: GeometryType?, hasZ: Bool, hasM: Bool, srid: Int,
    precision: CoordinatePrecision? = nil, index: String?, format: any TableFormat
  ) {
    self.name = name
    self.type = type
    self.hasZ = hasZ
    self.hasM = hasM
    self.srid = srid
    self.precision = precision
    self.index = index
    self.format = format
  }

  /// The type of a number in `st_geometry_columns`: 1 point, 4 multipoint, 5 line, 6 polygon;
  /// 2, 3 the single forms of the latter two; thousands for Z and M.
  ///
  /// - SeeAlso: Docs/FORMATS.md, 2.2
  package static func type(ofNumber number: Int) -> GeometryType? {
    switch number % 1000 {
    case 1: .point
    case 4: .multipoint
    case 2, 5: .polyline
    case 3, 6: .polygon
    default: nil
    }
  }

  package static func hasZ(ofNumber number: Int) -> Bool { [1, 3].contains(number / 1000) }

  package static func hasM(ofNumber number: Int) -> Bool { [2, 3].contains(number / 1000) }
}
