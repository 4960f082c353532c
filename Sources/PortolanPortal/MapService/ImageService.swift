public import Foundation
public import PortolanGeometry
internal import PortolanJSON

/// An image service, which shows rasters.
///
/// Docs/REST.md, 4. A value: it holds nothing but where to ask.
public struct ImageService: Sendable {
  /// The value of the image at a place.
  public struct PixelValue: Hashable, Sendable {
    /// The name of the result, mostly `Pixel`.
    public var name: String
    /// The values of the bands as text; `nil` where there is none.
    public var text: String?
    /// Where.
    public var location: Point?
  }

  /// The address, for example `https://host/arcgis/rest/services/Elevation/ImageServer`.
  public let url: URL

  /// Sends the requests.
  public let client: RESTClient

  /// Creates a service.
  public init(url: URL, client: RESTClient) {
    self.url = url
    self.client = client
  }

  /// The metadata of the service.
  public func info() async throws(PortalError) -> MapServiceInfo {
    try await client.value(
      url, orBecause: "these are no images", reading: MapServiceInfo.init(json:))
  }

  /// The legend.
  public func legend() async throws(PortalError) -> [ServiceLegend] {
    try await client.value(
      url.appending(path: "legend"), orBecause: "there is no legend",
      reading: ServiceLegend.legends(json:))
  }

  /// The value of the image at a place.
  public func identify(
    at point: Point, in spatialReference: SpatialReference
  ) async throws(PortalError) -> PixelValue {
    var request: RESTParameters = ["geometryType": "esriGeometryPoint", "returnGeometry": "false"]
    request.set(
      "geometry", json: Geometry.point(point).esriJSON(spatialReference: spatialReference))
    return try await client.value(
      url.appending(path: "identify"), request, orBecause: "there is no value",
      reading: PixelValue.init(json:))
  }
}

extension ImageService.PixelValue {
  fileprivate init?(json: JSONValue) {
    guard let object = json.object, object["value"] != nil || object["name"] != nil else {
      return nil
    }
    name = object.text("name") ?? ""
    let value = object.filledText("value")
    text = value?.lowercased() == "nodata" ? nil : value
    // Without a place the value still holds.
    if case .point(let point)? = object["location"].flatMap({ try? Geometry(esriJSON: $0) }) {
      location = point
    }
  }
}
