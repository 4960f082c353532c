public import PortolanMap

/// The outcome of writing tiles.
public struct MapTilesResult: Hashable, Sendable, Codable {
  /// The file.
  public var file: ConversionReport
  /// The parts of the map that the tiles do not show.
  public var omissions: [PictureOmission]

  /// Whether the file has all that was wanted.
  public var isComplete: Bool { file.isComplete && omissions.isEmpty }
}
