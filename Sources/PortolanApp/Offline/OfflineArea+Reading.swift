public import Foundation
internal import PortolanFiles
internal import PortolanGeometry
internal import PortolanJSON
public import PortolanOffline

/// A part of the world that is to be taken offline.
public typealias OfflineMapArea = OfflineArea

extension OfflineMapArea {
  /// As much of the world as services export.
  public static var world: OfflineMapArea {
    OfflineArea(Envelope(xMin: -179, yMin: -85, xMax: 179, yMax: 85), .wgs84)
  }

  /// The most bytes of a file with an area.
  private static let longestFile = 16 << 20

  /// Reads an area of a file: a polygon or a box as GeoJSON or Esri JSON; of several polygons, all that
  /// any of them covers.
  ///
  /// - Throws: A problem if the file holds neither.
  public init(readingFrom file: URL) throws(Problem) {
    let name = file.lastPathComponent
    guard FileSystem.live.exists(file) else {
      throw Problem(
        message: "There is no file \(name).",
        suggestion:
          "Give four numbers, such as -70.6,43.4,-69.9,43.9, or a file with a polygon as GeoJSON or "
          + "Esri JSON.", kind: .absence)
    }
    let sketch: Sketch?
    do {
      let document = try JSONValue(
        parsing: FileSystem.live.read(file, limit: Self.longestFile))
      let isEmpty = Sketch.isWithoutShapes(document)
      sketch = try isEmpty ? nil : Sketch(document, isNative: false)
    } catch {
      var problem = Problem(
        message: "\(name) cannot be read as an area.",
        suggestion: "Give four numbers, or a file with a polygon as GeoJSON or Esri JSON.")
      problem.reason = (error as? any LocalizedError)?.errorDescription
      throw problem
    }
    switch sketch {
    case .shape(.polygon(let polygon), let reference)?: self.init(polygon, reference ?? .wgs84)
    case .shape(.envelope(let envelope), let reference)?: self.init(envelope, reference ?? .wgs84)
    default:
      throw Problem(
        message: "\(name) contains no area.",
        suggestion: "Give four numbers, or a file with a polygon as GeoJSON or Esri JSON.")
    }
  }

  /// The area with these corners, in degrees; `nil` if they bound none.
  public init?(corners: [Sketch.Vertex]) {
    guard let first = corners.first else { return nil }
    let ring = (corners + [first]).map { JSONValue.array([.number($0.x), .number($0.y)]) }
    let shape: JSONValue = ["type": "Polygon", "coordinates": [.array(ring)]]
    // Reading it puts the corners into the order that areas have; what cannot be read is no area.
    guard case .polygon(let polygon)? = try? Geometry(geoJSON: shape) else { return nil }
    self.init(polygon, .wgs84)
  }

  /// Reads `west,south,east,north` in degrees; `nil` if the text is something else.
  public init?(degrees text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
      .map { Double(String($0.filter { !$0.isWhitespace })) }
    guard numbers.count == 4, let west = numbers[0], let south = numbers[1],
      let east = numbers[2], let north = numbers[3],
      [west, south, east, north].allSatisfy(\.isFinite)
    else { return nil }
    self.init(Envelope(xMin: west, yMin: south, xMax: east, yMax: north), .wgs84)
  }
}
