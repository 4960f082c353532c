internal import PortolanJSON

/// The location of the style of vector tiles.
public struct VectorTileStyle: Hashable, Sendable {
  /// The address of the style online.
  public let styleURL: String?
  /// The path in the package of a style that replaces that of the tiles.
  public let itemPath: PackagePath?

  init(json: JSONObject) {
    styleURL = json.filledText("styleUrl")
    itemPath = json.text("itemPath").flatMap(PackagePath.init(parsing:))
  }
}
