public import PortolanJSON

/// A network that a map names: for routes (`transportationNetworks`) or of utilities
/// (`utilityNetworks`).
public struct MapNetwork: Hashable, Sendable {
  /// The network as it was read, with all its members.
  public let json: JSONObject
  /// The name for people; empty if it has none.
  public let title: String
  /// The path of the data in the package, if the map is in one.
  public let path: PackagePath?
  /// The address of the service, if any.
  public let url: String?

  /// Reads a network.
  public init(json: JSONObject) {
    self.json = json
    title = json.filledText("title") ?? json.filledText("name") ?? ""
    path = json.text("path").flatMap(PackagePath.init(parsing:))
    url = json.filledText("url")
  }
}
