public import Foundation
public import PortolanJSON

/// Icons of a style, one of the sheets that it has.
public struct StyleSprite: Hashable, Sendable {
  /// The sheet whose icons go by their bare names.
  public static let defaultID = "default"

  /// The id of the sheet: its icons are `id:name`, those of `default` just `name`.
  public var id: String
  /// The index of the icons: `{"name": {"x", "y", "width", "height", ...}}`.
  public var index: JSONValue
  /// The picture that holds them all, PNG.
  public var image: Data
  /// Whether the list of icons is damaged, so that ``index`` may lack some.
  public var isDamaged: Bool

  /// Creates a sheet; the only one of a style is the default one.
  public init(
    id: String = Self.defaultID, index: JSONValue, image: Data, isDamaged: Bool = false
  ) {
    self.id = id
    self.index = index
    self.image = image
    self.isDamaged = isDamaged
  }

  /// The ids and addresses of the sheets that a style names, without their endings.
  public static func addresses(of style: JSONValue) -> [(id: String, address: String)] {
    if let address = style["sprite"]?.string { return [(defaultID, address)] }
    return (style["sprite"]?.array ?? []).prefix(maximumCount).compactMap { sheet in
      guard let id = sheet["id"]?.string, let address = sheet["url"]?.string else { return nil }
      return (id, address)
    }
  }

  /// Styles with more sheets are cut.
  private static let maximumCount = 16
}
