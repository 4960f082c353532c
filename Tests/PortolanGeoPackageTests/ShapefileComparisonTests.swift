import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

/// Whether a GeoPackage made from `usa-10.2.1` holds what the shapefiles beside it hold, both read
/// by GDAL.
@Suite(.temporaryDirectory, .needsSharedFiles, .needsTool("ogr2ogr"))
struct ShapefileComparisonTests {
  /// The tables, how many of their rows the shapefile holds as well, and what names a row.
  @Test(arguments: [
    ("USMajorCities", "usa-major-cities", ["NAME", "ST"]),
    ("USMajorHighways", "usa-major-highways", ["NAME", "FULL_NAME", "Shape_Leng"]),
  ])
  func `Rows and shapes are those of the shapefile`(
    table: String, shapefile: String, keys: [String]
  ) throws {
    let url = temporaryDirectory.appending(path: "usa.gpkg")
    try Example.copyToGeoPackage(
      SharedFiles.url("samples/geodatabases/usa-10.2.1.geodatabase"), url)
    let found = try features(url.path(percentEncoded: false), table)
    let shapes = SharedFiles.url("samples/shapefiles/\(shapefile).shp")
    let expected = try features(shapes.path(percentEncoded: false), shapefile)
    let byKey = Dictionary(grouping: expected) { key(of: $0, keys) }
    #expect(!found.isEmpty)
    for feature in found {
      let name = key(of: feature, keys)
      let isThere = byKey[name]?.contains { isSame(feature, as: $0) } ?? false
      #expect(isThere, "\(name)")
    }
  }

  private func key(of feature: JSONValue, _ names: [String]) -> String {
    names.map { name in
      let value = feature["properties"]?[name]
      return value?.string ?? value?.double.map { String(($0 * 1e6).rounded()) } ?? ""
    }.joined(separator: "|")
  }

  private func features(_ path: String, _ layer: String) throws -> [JSONValue] {
    let result = try Tool.run(
      "ogr2ogr", "-f", "GeoJSON", "-t_srs", "EPSG:4326", "/vsistdout/", path, layer)
    #expect(result.status == 0, "\(result.errors)")
    return try JSONValue(parsing: result.output)["features"]?.array ?? []
  }

  /// Whether all that the shapefile says of a feature is said here, to a tenth of a metre.
  private func isSame(_ feature: JSONValue, as expected: JSONValue) -> Bool {
    let members = expected["properties"]?.object?.members ?? []
    guard members.allSatisfy({ isSame(feature["properties"]?[$0.name], $0.value) }) else {
      return false
    }
    let (left, right) = (numbers(in: feature), numbers(in: expected))
    return left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) < 1e-6 }
  }

  private func isSame(_ left: JSONValue?, _ right: JSONValue) -> Bool {
    if let number = left?.double, let other = right.double { return abs(number - other) < 1e-6 }
    return left == right
  }

  /// All ordinates of a shape, whether it is of one part or several.
  private func numbers(in feature: JSONValue) -> [Double] {
    var numbers: [Double] = []
    var rest = [feature["geometry"]?["coordinates"] ?? .null]
    while let value = rest.popLast() {
      if let list = value.array {
        rest += list.reversed()
      } else if let number = value.double {
        numbers.append(number)
      }
    }
    return numbers
  }
}
