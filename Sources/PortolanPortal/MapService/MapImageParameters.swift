public import Foundation
public import PortolanGeometry
public import PortolanJSON
internal import PortolanTransport

/// The parameters of a picture that a map service or an image service draws.
///
/// Docs/REST.md, 4.
public struct MapImageParameters: Hashable, Sendable {
  /// The extent.
  public var extent: Envelope
  /// The spatial reference of ``extent``, and the reference of the picture.
  public var spatialReference: SpatialReference
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// The pixels in an inch, for the size of symbols and texts.
  public var dotsPerInch: Int
  /// The layers of a map service to show; those that the service shows unless given.
  public var visibleLayers: [Int]?
  /// Conditions on the features of layers of a map service, by the id of the layer.
  public var layerDefinitions: [Int: String] = [:]
  /// The rule by which an image service turns its values into colors.
  public var renderingRule: JSONValue?
  /// The mosaic rule, which chooses the rasters of an image service.
  public var mosaicRule: JSONValue?
  /// The bands that an image service shows, for example `3,0,1`.
  public var bandIDs: String?

  /// Asks for a picture of what the service shows.
  public init(
    extent: Envelope, spatialReference: SpatialReference, width: Int, height: Int,
    dotsPerInch: Int = 96
  ) {
    self.extent = extent
    self.spatialReference = spatialReference
    self.width = width
    self.height = height
    self.dotsPerInch = dotsPerInch
  }
}

extension MapImageParameters {
  private var common: RESTParameters {
    let reference = spatialReference.parameter
    let corners = [extent.xMin, extent.yMin, extent.xMax, extent.yMax]
    return [
      "bbox": corners.map { "\($0)" }.joined(separator: ","), "bboxSR": reference,
      "imageSR": reference, "size": "\(width),\(height)", "f": "image",
    ]
  }

  /// The parameters of `MapServer/export`.
  var mapRequest: RESTParameters {
    var request = common.merging([
      "format": "png32", "transparent": "true", "dpi": "\(dotsPerInch)",
    ])
    if let visibleLayers {
      // A list without ids would mean all layers.
      let ids = visibleLayers.isEmpty ? [-1] : visibleLayers
      request["layers"] = "show:" + ids.map { "\($0)" }.joined(separator: ",")
    }
    if !layerDefinitions.isEmpty {
      let members = layerDefinitions.sorted { $0.key < $1.key }
        .map { JSONObject.Member(name: "\($0.key)", value: .string($0.value)) }
      request.set("layerDefs", json: .object(JSONObject(members)))
    }
    return request
  }

  /// The parameters of `ImageServer/exportImage`.
  var imageRequest: RESTParameters {
    var request = common.merging(["format": "png32"])
    request.set("renderingRule", json: renderingRule)
    request.set("mosaicRule", json: mosaicRule)
    request["bandIds"] = bandIDs
    return request
  }
}

extension MapService {
  /// The map as an encoded picture, mostly PNG.
  public func image(_ parameters: MapImageParameters) async throws(PortalError) -> Data {
    try await client.picture(at: url.appending(path: "export"), parameters.mapRequest)
  }
}

extension ImageService {
  /// The rasters as an encoded picture, mostly PNG.
  public func image(_ parameters: MapImageParameters) async throws(PortalError) -> Data {
    try await client.picture(at: url.appending(path: "exportImage"), parameters.imageRequest)
  }
}

extension RESTClient {
  /// A picture that a service draws; the conditions on layers may be long.
  fileprivate func picture(
    at url: URL, _ parameters: RESTParameters
  ) async throws(PortalError) -> Data {
    let body = try await data(url, parameters, limit: 64 << 20).body
    guard !body.isEmpty else { throw .unexpected(url.withoutSecrets, reason: "it is empty") }
    return body
  }
}
