import Foundation
import PortolanFeatures
import PortolanGeometry
import PortolanPortal
import Testing

@testable import DemoPortal

/// Shapes in Esri's buffers, read by the reader that is held against recorded ones.
@Suite struct FeatureBufferShapeTests {
  private static let fields = [Field("OBJECTID", .objectID, isNullable: false, isEditable: false)]

  private static let path = Path(
    [Coordinate(x: -7_600_000, y: 5_500_000), Coordinate(x: -7_600_100.25, y: 5_500_033.5)],
    z: [12.5, 14], m: [3, 7.25])

  private static let ring = Path(
    [(0, 0), (9, 0), (9, 9), (0, 9), (0, 0)].map { Coordinate(x: $0.0, y: $0.1) },
    z: [1, 2, 3, 4, 1], m: [1, 2, 3, 4, 5])

  @Test(arguments: [
    Geometry.point(Point(x: 10, y: 20, z: 5, m: 6)),
    .polyline(Polyline(paths: [path, path.reversed()])), .polygon(Polygon(rings: [ring])),
  ])
  func `Heights and measures come through`(_ shape: Geometry) throws {
    let feature = Feature(
      objectID: 1, attributes: Attributes(FieldList(Self.fields), [.integer(1)]), geometry: shape)
    let data = FeatureBuffer.data(
      QueryFeatures(
        schema: FeatureTableSchema(
          name: "Lines", geometryType: shape.type, hasZ: true, hasM: true,
          spatialReference: .webMercator, fields: Self.fields), fields: FieldList(Self.fields),
        features: [feature], spatialReference: .webMercator, hasGeometry: true,
        exceedsLimit: false, hasZ: true, hasM: true))
    let read = try FeatureSet(parsingPBF: data)
    let found = try #require(read.features.first?.geometry)
    #expect(read.hasZ && read.hasM)
    for (path, wanted) in zip(found.paths, shape.paths) {
      #expect(path.z.map { $0.map { ($0 * 1000).rounded() / 1000 } } == wanted.z)
      #expect(path.m.map { $0.map { ($0 * 1000).rounded() / 1000 } } == wanted.m)
      for (one, two) in zip(path.coordinates, wanted.coordinates) {
        #expect(abs(one.x - two.x) < 0.001 && abs(one.y - two.y) < 0.001)
      }
    }
    #expect(found.paths.count == shape.paths.count)
  }
}
