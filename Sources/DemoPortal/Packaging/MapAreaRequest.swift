internal import Foundation
internal import PortolanGeometry
internal import PortolanJSON

/// The area that a request to `CreateMapArea` describes.
struct MapAreaRequest: Sendable {
  /// Around the area, in degrees; `nil` for a bookmark that the map does not have.
  let box: Envelope?
  let title: String?
  let snippet: String?
  let tags: [String]
  private let area: JSONValue
  private let schedule: JSONValue?

  /// Reads the area: a bookmark of `map` by its name, a box or a polygon.
  init(_ request: DemoRequest, in map: DemoItem) throws(DemoFailure) {
    let parameters = request.parameters
    area = try parameters.json("area") ?? .null
    let output = try parameters.json("outputName")
    title = output?["title"]?.string
    snippet = output?["snippet"]?.string
    tags = (output?["tags"]?.string ?? "").split(separator: ",").map(\.trimmedOfBlanks)
    schedule = output?["packageRefreshSchedule"]
    let named = area["name"]?.string ?? parameters["bookmark"]
    let shape = named.map { Self.bookmark($0, in: map) } ?? area
    box = Self.box(around: shape)
  }

  /// The properties of an area whose packages are still to come.
  func properties(extent: JSONValue) -> JSONValue {
    var properties: JSONObject = ["status": "processing", "extent": extent]
    if area["rings"] != nil {
      properties["area"] = ["polygon": area]
    } else if !area.isNull {
      properties["area"] = area
    }
    properties["packageRefreshSchedule"] = schedule
    return .object(properties)
  }

  private static func bookmark(_ name: String, in map: DemoItem) -> JSONValue {
    // A map that is no JSON has no bookmarks.
    guard case .document(let text) = map.content, let document = try? JSONValue(parsing: text)
    else { return .null }
    let found = document["bookmarks"]?.array?.first { $0["name"]?.string == name }
    return found?["extent"] ?? .null
  }

  /// The box; `nil` for what is no shape or cannot be projected.
  private static func box(around shape: JSONValue) -> Envelope? {
    let reference = SpatialReference(esriJSON: shape["spatialReference"]) ?? .wgs84
    do {
      let extent = try Geometry(esriJSON: shape).extent
      return try extent.map { try Projection(from: reference, to: .wgs84).project($0) }
    } catch {
      return nil
    }
  }
}
