internal import Foundation
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON

/// Shapes and spatial references.
enum GeometrySeeds {
  /// Shapes of every kind, with and without heights and measures.
  static let shapes: [Geometry] = [
    .point(Point(x: -68.2, y: 44.3)),
    .point(Point(x: 1, y: 2, z: 3, m: 4)),
    .multipoint(Multipoint(points: Path([Coordinate(x: 1, y: 1), Coordinate(x: 2, y: 5)]))),
    .polyline(Polyline(paths: [line(0), line(10)])),
    .polyline(Polyline(paths: [line(0, z: [1, 2, 3], m: [4, .nan, 6])])),
    .polygon(Polygon(rings: [square(0, 10), Path(square(2, 3).coordinates.reversed())])),
    .polygon(Polygon(rings: [square(0, 1), square(20, 5), square(40, 2)])),
  ]

  /// The shapes as Esri JSON, and what the project never writes.
  static let esriJSON =
    shapes.map { $0.esriJSON(spatialReference: .wgs84).text() } + [
      #"{"curvePaths":[[[0,0],{"c":[[3,3],[1,4]]},{"b":[[6,1],[4,4],[5,0]]}]],"hasM":false}"#,
      #"{"curveRings":[[[0,0],{"a":[[2,0],[1,0],0,1,0,2,0.5]},[0,0]]],"hasZ":false}"#,
      #"{"xmin":0,"ymin":"NaN","xmax":1,"ymax":1,"spatialReference":{"latestWkid":3857}}"#,
      #"{"targetGeometry":{"x":1,"y":2},"scale":5000,"rotation":10,"x":1,"y":null}"#,
    ]

  static let geoJSON =
    shapes.map { $0.geoJSON().text() } + [
      #"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[5,5],[6,5],[5,6],[5,5]]]]}"#,
      #"{"type":"LineString","coordinates":[[0,0,1],[1,1,2]],"bbox":[0,0,1,1]}"#,
    ]

  static let spatialReferences = [
    #"{"wkid":102100,"latestWkid":3857,"vcsWkid":5773}"#, #"{"wkid":26919}"#, "4326",
    """
    {"wkt":"GEOGCS[\\"GCS_WGS_1984\\",DATUM[\\"D_WGS_1984\\",SPHEROID[\\"WGS_1984\\",6378137.0,\
    298.257223563]],PRIMEM[\\"Greenwich\\",0.0],UNIT[\\"Degree\\",0.0174532925199433]]"}
    """,
    """
    {"wkt":"PROJCS[\\"Maine\\",GEOGCS[\\"GCS_North_American_1983\\",DATUM[\\"D_North_American_1983\\",\
    SPHEROID[\\"GRS_1980\\",6378137.0,298.257222101]],PRIMEM[\\"Greenwich\\",0.0],UNIT[\\"Degree\\",\
    0.0174532925199433]],PROJECTION[\\"Transverse_Mercator\\"],PARAMETER[\\"False_Easting\\",300000.0],\
    PARAMETER[\\"False_Northing\\",0.0],PARAMETER[\\"Central_Meridian\\",-68.5],\
    PARAMETER[\\"Scale_Factor\\",0.9999],PARAMETER[\\"Latitude_Of_Origin\\",43.66666666666666],\
    UNIT[\\"Meter\\",1.0]]"}
    """,
  ]

  /// The shapes as well-known binary.
  static func wellKnownBinary() -> [Data] { shapes.map { Data($0.wellKnownBinary()) } }

  /// The shapes as blobs, with the nil shape.
  static func blobs() throws -> [Data] {
    try shapes.flatMap { shape in
      let flat = GeometryBlobEncoder(
        precision: .webMercator, srid: 3857, geometryType: shape.type)
      let full = GeometryBlobEncoder(
        precision: .webMercator, srid: 3857, geometryType: shape.type, hasZ: true, hasM: true)
      return [
        Data(try flat.encode(shape).bytes), Data(try full.encode(shape).bytes),
        Data(try flat.encode(nil).bytes),
      ]
    }
  }

  private static func line(_ start: Double, z: [Double]? = nil, m: [Double]? = nil) -> Path {
    let coordinates = [(0.0, 0.0), (1, 3), (5, 3)].map {
      Coordinate(x: start + $0.0, y: start + $0.1)
    }
    return Path(coordinates, z: z, m: m)
  }

  private static func square(_ start: Double, _ side: Double) -> Path {
    let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
    return Path(corners.map { Coordinate(x: start + side * $0.0, y: start + side * $0.1) })
  }
}
