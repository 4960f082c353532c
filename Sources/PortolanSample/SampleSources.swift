internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The text files that the sample is built from.
struct SampleSources: Sendable {
  /// A line of a source: a place with what is known of it.
  struct Record: Sendable {
    var properties: JSONObject
    /// In metres of the Web Mercator.
    var geometry: Geometry?
  }

  private let folder: URL
  private let projection: Projection

  /// Finds the sources beside the program.
  ///
  /// The accessor that the package manager makes would end the program where they are missing.
  init() throws {
    let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
    let place = program?.deletingLastPathComponent() ?? Bundle.main.bundleURL
    let resources = place.appending(path: "portolan_PortolanSample.resources")
    try self.init(folder: resources.appending(path: "Data"))
  }

  init(folder: URL) throws {
    self.folder = folder
    projection = try Projection(from: .wgs84, to: .webMercator)
  }

  /// The contents of a source, for example `maps/lighthouses.json`.
  func document(_ name: String) throws -> JSONValue { try JSONValue(parsing: data(name)) }

  /// The bytes of a source.
  func data(_ name: String) throws -> Data {
    let file = folder.appending(path: name)
    guard let data = FileManager.default.contents(atPath: file.path(percentEncoded: false)) else {
      throw SampleError.missingSource(name: name, folder: folder.path(percentEncoded: false))
    }
    return data
  }

  /// The features of a GeoJSON source, or the objects of a list.
  func records(_ name: String) throws -> [Record] {
    let document = try document(name)
    guard let elements = document.array ?? document["features"]?.array else {
      throw SampleError.damagedSource(name: name, place: "its root")
    }
    return try elements.enumerated().map { index, element in
      guard let object = element["properties"]?.object ?? element.object else {
        throw SampleError.damagedSource(name: name, place: "entry \(index)")
      }
      let geometry = try element["geometry"].map { try Geometry(geoJSON: $0) }
      return Record(properties: object, geometry: geometry.map(projected))
    }
  }

  /// A box in degrees, in metres of the Web Mercator.
  func projected(_ extent: Envelope) throws -> Envelope { try projection.project(extent) }

  private func projected(_ geometry: Geometry) -> Geometry {
    switch geometry {
    case .point(let point):
      let image = projection.project([point.coordinate])[0]
      return .point(Point(x: image.x, y: image.y))
    case .multipoint(let multipoint):
      return .multipoint(Multipoint(points: projected(multipoint.points)))
    case .polyline(let polyline): return .polyline(Polyline(paths: polyline.paths.map(projected)))
    case .polygon(let polygon): return .polygon(Polygon(rings: polygon.rings.map(projected)))
    case .envelope(let envelope):
      return .polygon(Polygon(rings: envelope.polygon.rings.map(projected)))
    }
  }

  private func projected(_ path: Path) -> Path { Path(projection.project(path.coordinates)) }
}
