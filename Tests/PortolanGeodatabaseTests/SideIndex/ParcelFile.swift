import Foundation
import PortolanFeatures
import PortolanGeometry

@testable import PortolanGeodatabase

/// A geodatabase of areas with holes, lines and points at random places, the same every time.
struct ParcelFile {
  let url: URL
  let side = 24

  static let tables: [(name: String, type: GeometryType)] = [
    ("Parcels", .polygon), ("Paths", .polyline), ("Trees", .point),
  ]

  /// Writes the file; of each table, `count` rows at most.
  init(in folder: URL, count: Int = .max, name: String = "parcels") throws {
    url = folder.appending(path: "\(name).geodatabase")
    let schemas = Self.tables.map { table in
      FeatureTableSchema(
        name: table.name, geometryType: table.type, spatialReference: .webMercator,
        fields: [
          Field("OBJECTID", .objectID, isNullable: false), Field("NUMBER", .integer),
        ])
    }
    var random = Numbers(seed: 7)
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: name, tables: schemas.map { .init($0) }),
      now: Example.moment, makeID: Example.ids())
    let fields = FieldList(schemas[0].fields)
    for number in 0..<min(side * side, count) {
      let corner = Coordinate(
        x: 1_000 + 10 * Double(number % side), y: -2_000 + 10 * Double(number / side))
      for (table, shape) in Self.shapes(at: corner, &random) {
        try writer.append(
          Feature(
            objectID: Int64(number + 1),
            attributes: Attributes(fields, [.integer(Int64(number + 1)), .integer(Int64(number))]),
            geometry: shape), to: table)
      }
    }
    try writer.finish()
  }

  private static func shapes(
    at corner: Coordinate, _ random: inout Numbers
  ) -> [(String, Geometry)] {
    func place(_ low: Double, _ high: Double, _ random: inout Numbers) -> Coordinate {
      Coordinate(
        x: corner.x + .random(in: low...high, using: &random),
        y: corner.y + .random(in: low...high, using: &random))
    }
    let size = Double.random(in: 6...14, using: &random)
    let outer = square(corner, size)
    let hole = square(Coordinate(x: corner.x + 2, y: corner.y + 2), 2)
    let tree = place(0, 10, &random)
    let line = (0..<4).map { _ in place(-5, 15, &random) }
    return [
      ("Parcels", .polygon(Polygon(rings: [Path(outer), Path(hole.reversed())]))),
      ("Paths", .polyline(Polyline(paths: [Path(line)]))),
      ("Trees", .point(Point(x: tree.x, y: tree.y))),
    ]
  }

  private static func square(_ corner: Coordinate, _ size: Double) -> [Coordinate] {
    [(0, 0), (0, size), (size, size), (size, 0), (0, 0)].map { x, y in
      Coordinate(x: corner.x + x, y: corner.y + y)
    }
  }

  /// Places inside, in holes, on borders and corners, and far away.
  func places(_ count: Int) -> [Coordinate] {
    var random = Numbers(seed: 11)
    return (0..<count).map { number in
      let cell = Coordinate(
        x: 1_000 + 10 * Double.random(in: -2...26, using: &random).rounded(),
        y: -2_000 + 10 * Double.random(in: -2...26, using: &random).rounded())
      switch number % 5 {
      case 0: return cell
      case 1: return Coordinate(x: cell.x + 3, y: cell.y + 3)
      case 2: return Coordinate(x: cell.x, y: cell.y + .random(in: 0...10, using: &random))
      case 3: return Coordinate(x: cell.x + 2, y: cell.y + 4)
      default:
        return Coordinate(
          x: cell.x + .random(in: -9...9, using: &random),
          y: cell.y + .random(in: -9...9, using: &random))
      }
    }
  }
}
