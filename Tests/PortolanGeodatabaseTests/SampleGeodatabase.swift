import Foundation
import PortolanTestSupport
import Testing

/// The geodatabases that Esri's software wrote, with what they hold.
struct SampleGeodatabase: CustomTestStringConvertible, Sendable {
  struct Table: Sendable {
    let name: String
    let count: Int
    /// The rows with a shape, all versions of them.
    let shapeCount: Int
  }

  let path: String
  let tables: [Table]

  var url: URL { SharedFiles.url("samples/" + path) }
  var testDescription: String { url.lastPathComponent }

  /// Makes a copy that may be written, whatever the sample's permissions are.
  func copy(to copy: URL) throws { try Data(contentsOf: url).write(to: copy) }

  static let canyonlands = SampleGeodatabase(
    path: "preplanned-package/canyonlands/p13/3b1fef0d-2cb0-4b6f-b526-9fe0a1ca3f69.geodatabase",
    tables: [
      Table(name: "CNP_Roads", count: 89, shapeCount: 89),
      Table(name: "CNP_Trails", count: 55, shapeCount: 55),
    ])
  static let trails = SampleGeodatabase(
    path: "geodatabases/LA_Trails.geodatabase",
    tables: [Table(name: "Trailheads", count: 475, shapeCount: 475)])
  static let military = SampleGeodatabase(
    path: "geodatabases/militaryoverlay.geodatabase",
    tables: [
      Table(name: "Units_Multipoint", count: 5, shapeCount: 5),
      Table(name: "Units", count: 4, shapeCount: 4), Table(name: "Air", count: 2, shapeCount: 2),
      Table(name: "ControlMeasuresLines", count: 9, shapeCount: 9),
      Table(name: "ControlMeasuresAreas", count: 10, shapeCount: 10),
    ])
  static let usa = SampleGeodatabase(
    path: "geodatabases/usa-10.2.1.geodatabase",
    tables: [
      Table(name: "USMajorCities", count: 118, shapeCount: 118),
      Table(name: "USMajorHighways", count: 228, shapeCount: 228),
      Table(name: "USStates", count: 49, shapeCount: 49),
    ])

  static let all = [canyonlands, trails, military, usa]
}
