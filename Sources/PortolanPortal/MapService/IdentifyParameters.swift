public import PortolanGeometry
internal import PortolanJSON

/// The parameters of identifying features of a map.
public struct IdentifyParameters: Hashable, Sendable {
  /// The layers to identify features of.
  public enum Layers: Hashable, Sendable {
    /// The topmost visible one that has something.
    case top
    /// All that are visible at the scale.
    case visible
    /// All, visible or not.
    case all
    /// The layers of these ids.
    case only([Int])
  }

  /// The place.
  public var geometry: Geometry
  /// The spatial reference of the coordinates.
  public var spatialReference: SpatialReference
  /// The layers to identify features of.
  public var layers: Layers
  /// The tolerance around the place, in pixels.
  public var tolerance: Int
  /// The extent of the map that is seen, in units of ``spatialReference``.
  public var mapExtent: Envelope
  /// The size of the image, in pixels.
  public var imageSize: (width: Int, height: Int) {
    get { (imageWidth, imageHeight) }
    set { (imageWidth, imageHeight) = newValue }
  }
  /// Whether shapes are sent.
  public var returnsGeometry: Bool

  private var imageWidth: Int
  private var imageHeight: Int

  /// Creates parameters.
  public init(
    geometry: Geometry, spatialReference: SpatialReference, layers: Layers = .visible,
    tolerance: Int = 5, mapExtent: Envelope, imageSize: (width: Int, height: Int),
    returnsGeometry: Bool = true
  ) {
    self.geometry = geometry
    self.spatialReference = spatialReference
    self.layers = layers
    self.tolerance = tolerance
    self.mapExtent = mapExtent
    imageWidth = imageSize.width
    imageHeight = imageSize.height
    self.returnsGeometry = returnsGeometry
  }
}

extension IdentifyParameters {
  /// The parameters of the request.
  var request: RESTParameters {
    let box = mapExtent
    var request: RESTParameters = [
      "geometryType": geometry.type.rawValue, "sr": spatialReference.parameter,
      "layers": layers.parameter, "mapExtent": "\(box.xMin),\(box.yMin),\(box.xMax),\(box.yMax)",
      "imageDisplay": "\(imageWidth),\(imageHeight),96",
    ]
    request.set("geometry", json: geometry.esriJSON(spatialReference: spatialReference))
    request.set("tolerance", max(0, tolerance))
    request.set("returnGeometry", returnsGeometry)
    return request
  }
}

extension IdentifyParameters.Layers {
  fileprivate var parameter: String {
    switch self {
    case .top: "top"
    case .visible: "visible"
    case .all: "all"
    case .only(let ids): "all:" + ids.map(String.init).joined(separator: ",")
    }
  }
}
