internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry
internal import PortolanJSON

/// The parameters of an `identify` request to a map service.
///
/// - SeeAlso: Docs/DEMO-PORTAL.md
struct MapIdentify: Sendable {
  private let shape: Geometry
  private let reference: SpatialReference?
  /// The layers asked; all if `nil`.
  private let layerIDs: Set<Int>?
  private let stopsAtFirst: Bool
  /// The maximum distance of features from the shape, in units of the reference.
  private let tolerance: Double
  private let returnsGeometry: Bool

  /// Reads a request.
  ///
  /// - Throws: ``DemoFailure`` without a shape, a map extent or an image size.
  init(_ parameters: DemoParameters) throws {
    guard let text = parameters["geometry"] else {
      throw DemoFailure.badRequest("'geometry' is missing.")
    }
    let (geometry, own) = try SpatialFilter.geometry(text)
    shape = geometry
    reference = try FeatureQuery.reference(parameters, "sr") ?? own
    let layers = (parameters["layers"] ?? "top").split(separator: ":")
    stopsAtFirst = layers.first?.lowercased() == "top"
    layerIDs =
      layers.count > 1
      ? Set(layers[1].split(separator: ",").compactMap { Int($0.trimmedOfBlanks) }) : nil
    returnsGeometry = parameters.bool("returnGeometry") ?? true
    let pixel = try Self.pixelSize(parameters)
    tolerance = max(0, parameters.double("tolerance") ?? 0) * pixel
  }

  /// The map units that a pixel of the client's picture covers.
  private static func pixelSize(_ parameters: DemoParameters) throws -> Double {
    guard let text = parameters["mapExtent"],
      case (.envelope(let extent), _) = try SpatialFilter.geometry(text),
      let width = parameters.list("imageDisplay").first.flatMap(Double.init), width > 0
    else { throw DemoFailure.badRequest("'mapExtent' or 'imageDisplay' is missing.") }
    return extent.width / width
  }

  /// The features found, the topmost layer first.
  func answer(from content: HostedContent) throws -> JSONValue {
    var results: [JSONValue] = []
    for table in content.layers where layerIDs?.contains(table.id) ?? true {
      results += try found(in: table).map {
        .object(
          try MapServiceFeature($0, of: table)
            .members(returnsGeometry: returnsGeometry, in: reference))
      }
      if stopsAtFirst, !results.isEmpty { break }
    }
    return ["results": .array(results)]
  }

  private func found(in table: HostedTable) throws -> [Feature] {
    var shape = self.shape
    var reach = tolerance
    if let reference, let target = table.schema.spatialReference,
      let center = shape.extent?.center
    {
      let projection = try Projection(from: reference, to: target)
      shape = try projection.project(shape)
      let beside = Coordinate(x: center.x + tolerance, y: center.y)
      let (here, there) = (try projection.project(center), try projection.project(beside))
      reach = abs(there.x - here.x)
    }
    if case .point(let point) = shape {
      let (center, square) = (point.coordinate, reach * reach)
      return table.rows.map(\.feature).filter {
        ($0.geometry?.squaredDistance(to: center) ?? .infinity) <= square
      }
    }
    let filter = try SpatialFilter(shape)
    return try table.rows.map(\.feature).filter { try filter.accepts($0.geometry) }
  }
}
