/// The options that a preplanned area was downloaded with, so that an update downloads the same.
public struct StoredAreaOptions: Hashable, Sendable, Codable {
  /// The basemap below the layers of the map.
  public enum Basemap: Hashable, Sendable, Codable {
    /// The basemap that the author of the map chose.
    case ofMap
    /// Nothing.
    case leftOut
    /// A tile package that was on this device, by its name; a copy of it is part of the map.
    case file(String)
  }

  /// The basemap below the layers of the map.
  public var basemap: Basemap
  /// Whether a part that could not be loaded left the others alone.
  public var continuesOnErrors: Bool
  /// How the map is kept up to date, as its `.marea` file says it.
  public var updateMode: String
  /// Whether that was chosen, and not derived from how the author of the area had set it up; `nil` where an
  /// older Portolan has stored it, which did not say so.
  public var isUpdateModeChosen: Bool?

  /// Creates options.
  public init(
    basemap: Basemap, continuesOnErrors: Bool, updateMode: String, isUpdateModeChosen: Bool? = nil
  ) {
    self.basemap = basemap
    self.continuesOnErrors = continuesOnErrors
    self.updateMode = updateMode
    self.isUpdateModeChosen = isUpdateModeChosen
  }

  /// How an update keeps the map up to date; `nil` if as the author of the area has set it up by then.
  ///
  /// Where nobody has said whether the mode was chosen, it counts as chosen.
  public var keptUpdateMode: String? { isUpdateModeChosen == false ? nil : updateMode }
}
