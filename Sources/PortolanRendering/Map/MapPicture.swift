public import Foundation

/// A map as a picture.
public struct MapPicture: Hashable, Sendable, Codable {
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
  /// Where the pixels are on the ground.
  public var georeference: PictureGeoreference?
  /// What could not be drawn; empty if the picture shows all there is.
  public var omissions: [PictureOmission]
  /// What became of each layer, lowest first.
  public var layers: [LayerDrawing] = []
}

/// Something that a picture does not show, or not as it should.
public struct PictureOmission: Hashable, Sendable, Codable {
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
