public import PortolanConversion
public import PortolanRendering

/// Tiles that were written.
public struct MapTilesResult: Hashable, Sendable, Codable {
  /// The file.
  public var file: ConversionResult
  /// What the tiles do not show.
  public var omissions: [PictureOmission]
}
