/// How a preplanned area was downloaded, so that an update downloads the same.
public struct StoredAreaOptions: Hashable, Sendable, Codable {
  /// What is shown below the layers of the map.
  public enum Basemap: Hashable, Sendable, Codable {
    /// What the author of the map chose.
    case ofMap
    /// Nothing.
    case leftOut
    /// A tile package that was on this device, by its name; a copy of it is part of the map.
    case file(String)
  }

  /// What is shown below the layers of the map.
  public var basemap: Basemap
  /// Whether a part that could not be loaded left the others alone.
  public var continuesOnErrors: Bool
  /// How the map is kept up to date, as its `.marea` file says it.
  public var updateMode: String

  /// Creates options.
  public init(basemap: Basemap, continuesOnErrors: Bool, updateMode: String) {
    self.basemap = basemap
    self.continuesOnErrors = continuesOnErrors
    self.updateMode = updateMode
  }
}
