public import Foundation
internal import PortolanDrawing
internal import PortolanRendering

/// A map as a picture.
public struct DrawnPicture: Hashable, Sendable, Codable {
  /// How pictures are written.
  public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
    case png
    case svg
    /// A document of one page, in which shapes stay shapes.
    case pdf
    /// Pixels with their place on the ground, a GeoTIFF.
    case tiff
  }

  /// The encoded picture.
  public var data: Data
  /// How it is encoded.
  public var format: Format
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// What could not be drawn; empty if the picture shows all there is.
  public var omissions: [DrawingOmission]
  /// What became of each layer, lowest first.
  public var layers: [MapLayerDrawing] = []
  /// Where the pixels are on the ground.
  var georeference: PictureGeoreference?

  /// Creates a picture.
  public init(
    data: Data, format: Format, width: Int, height: Int, omissions: [DrawingOmission] = []
  ) {
    self.data = data
    self.format = format
    self.width = width
    self.height = height
    self.omissions = omissions
  }
}

/// Something that a picture or tiles do not show, or not as they should.
public struct DrawingOmission: Hashable, Sendable, Codable {
  /// The title of the layer; `nil` if it concerns the whole picture.
  public var layer: String?
  /// What is missing and why, as a sentence for people.
  public var reason: String
  /// How often it happened.
  public var count: Int

  /// Creates an entry.
  public init(layer: String?, reason: String, count: Int = 1) {
    self.layer = layer
    self.reason = reason
    self.count = count
  }

  /// The entry as one line for people.
  public var sentence: String {
    let times = count > 1 ? " (\(count) times)" : ""
    return (layer.map { "\($0): " } ?? "") + reason + times
  }
}

/// What can be drawn over a map to help reading it.
public enum MapOverlay: String, Hashable, Sendable, Codable, CaseIterable {
  /// A bar with its length on the ground, at the lower left.
  case scaleBar
  /// Lines of equal longitude and latitude.
  case graticule
  /// The credits, at the lower right.
  case attribution
}

extension DrawnPicture {
  init(_ picture: MapPicture) {
    self.init(
      data: picture.data, format: Format(picture.format), width: picture.width,
      height: picture.height, omissions: picture.omissions.map(DrawingOmission.init))
    layers = picture.layers.map(MapLayerDrawing.init)
    georeference = picture.georeference
  }
}

extension DrawnPicture.Format {
  fileprivate init(_ format: MapPicture.Format) {
    switch format {
    case .png: self = .png
    case .svg: self = .svg
    case .pdf: self = .pdf
    case .tiff: self = .tiff
    }
  }

  /// The format as the renderer has it.
  var rendered: MapPicture.Format {
    switch self {
    case .png: .png
    case .svg: .svg
    case .pdf: .pdf
    case .tiff: .tiff
    }
  }
}

extension DrawingOmission {
  init(_ omission: PictureOmission) {
    self.init(layer: omission.layer, reason: omission.reason, count: omission.count)
  }
}

extension MapOverlay {
  /// The decoration as the renderer has it.
  var rendered: MapDecoration {
    switch self {
    case .scaleBar: .scaleBar
    case .graticule: .graticule
    case .attribution: .attribution
    }
  }
}
