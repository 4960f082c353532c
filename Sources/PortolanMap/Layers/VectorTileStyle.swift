internal import PortolanJSON

/// Where the style of vector tiles is.
public struct VectorTileStyle: Hashable, Sendable {
  /// The address of the style online.
  public let styleURL: String?
  /// Where in the package a style of its own is, which replaces that of the tiles.
  public let itemPath: PackagePath?

  init(json: JSONObject) {
    styleURL = json.filledText("styleUrl")
    itemPath = json.text("itemPath").flatMap(PackagePath.init(parsing:))
  }
}
