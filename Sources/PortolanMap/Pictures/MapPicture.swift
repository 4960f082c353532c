public import Foundation

/// A map as a picture.
public struct MapPicture: Hashable, Sendable, Codable {
  /// The format of pictures.
  public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
    case png
    case svg
    /// A document of one page, in which shapes stay shapes.
    case pdf
    /// Pixels with their map coordinates, a GeoTIFF.
    case tiff
  }

  /// The encoded picture.
  public var data: Data
  /// The format of the picture.
  public var format: Format
  /// In pixels.
  public var width: Int
  /// In pixels.
  public var height: Int
  /// The georeference: the map coordinates of the pixels.
  public var georeference: PictureGeoreference?
  /// The parts that could not be drawn; empty if the picture is complete.
  public var omissions: [PictureOmission]
  /// The drawing of each layer, lowest first.
  public var layers: [LayerDrawing] = []

  /// Creates a picture.
  ///
  /// - Parameters:
  ///   - data: The encoded picture.
  ///   - format: How it is encoded.
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - georeference: Where the pixels are in map coordinates.
  ///   - omissions: What could not be drawn.
  ///   - layers: What became of each layer, lowest first.
  public init(
    data: Data, format: Format, width: Int, height: Int,
    georeference: PictureGeoreference? = nil, omissions: [PictureOmission] = [],
    layers: [LayerDrawing] = []
  ) {
    self.data = data
    self.format = format
    self.width = width
    self.height = height
    self.georeference = georeference
    self.omissions = omissions
    self.layers = layers
  }
}
