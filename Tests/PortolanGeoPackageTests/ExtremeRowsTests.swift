import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanGeoPackage
@testable import PortolanGeodatabase

/// Rows at the ends of what formats hold: errors, and no file that is left in part.
@Suite(.temporaryDirectory) struct ExtremeRowsTests {
  private static let schema = FeatureTableSchema(
    name: "Places", geometryType: .point, spatialReference: .wgs84,
    fields: [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)])

  private static let definition = GeodatabaseDefinition(
    name: "New", tables: [GeodatabaseDefinition.Table(schema)])

  private func row(_ id: Int64, x: Double = 0) -> Feature {
    Feature(
      objectID: id, attributes: Attributes(FieldList(Self.schema.fields), [.integer(id)]),
      geometry: .point(Point(x: x, y: 0)))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
  }

  @Test(arguments: [3.41e38, -3.41e38, 1e300, .greatestFiniteMagnitude])
  func `A coordinate that no spatial index holds is refused by a GeoPackage`(x: Double) throws {
    let url = temporaryDirectory.appending(path: "new.gpkg")
    do {
      let writer = try GeoPackageWriter(at: url, Self.definition, now: Example.moment) { UUID() }
      try writer.append(row(1), to: "Places")
      let error = #expect(throws: GeodatabaseWriterError.self) {
        try writer.append(row(2, x: x), to: "Places")
      }
      guard case .invalidValue("Places", 2, _, _)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(try names() == [])
  }

  @Test(arguments: ["new.gpkg", "new.geodatabase"])
  func `The greatest object id is refused`(name: String) throws {
    let url = temporaryDirectory.appending(path: name)
    #expect(throws: GeodatabaseWriterError.self) {
      if name.hasSuffix("gpkg") {
        let writer = try GeoPackageWriter(at: url, Self.definition, now: Example.moment) { UUID() }
        try writer.append(row(.max), to: "Places")
        try writer.finish()
      } else {
        let writer = try GeodatabaseWriter(at: url, Self.definition, now: Example.moment) {
          UUID()
        }
        try writer.append(row(.max), to: "Places")
        try writer.finish()
      }
    }
    #expect(try names() == [])
  }
}
