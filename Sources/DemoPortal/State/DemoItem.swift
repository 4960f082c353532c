public import Foundation
public import PortolanJSON

/// An item of the portal: a map, a package, a service, an area.
public struct DemoItem: Sendable {
  /// The audience of an item.
  public enum Access: String, Sendable, CaseIterable {
    /// Its owner.
    case `private`
    /// Its owner and the members of its groups.
    case shared
    /// Everyone who belongs to the organization.
    case org
    /// Everyone.
    case `public`
  }

  /// The content of an item.
  public enum Content: Sendable {
    /// Nothing.
    case nothing
    /// A JSON document; `{base}` in it stands for the address of the portal.
    case document(String)
    /// Bytes in memory.
    case bytes(Data)
    /// A file that is made when it is first requested.
    case file(DemoFile)
  }

  /// A file beside the data.
  public struct Resource: Sendable {
    /// Its path inside the item, for example `area/geometry-1.json`.
    public var name: String
    /// Its bytes.
    public var body: Data
    /// The date of addition.
    public var created: Date
  }

  /// 32 digits.
  public var id: String
  /// The user name of the owner.
  public var owner: String
  /// The title.
  public var title: String
  /// The type in Esri's words, for example `Web Map`.
  public var type: String
  /// The file's name, if it has one.
  public var name: String?
  /// Further words for what it is.
  public var typeKeywords: [String] = []
  /// The description, as HTML.
  public var description: String?
  /// Words to find it by.
  public var tags: [String] = []
  /// One sentence on it.
  public var snippet: String?
  /// The box around it in degrees: west, south, east, north.
  public var extent: [Double]?
  /// The credits.
  public var accessInformation: String?
  /// The terms of use, as HTML.
  public var licenseInfo: String?
  /// The address of a service; `{base}` in it stands for the address of the portal.
  public var url: String?
  /// The id of the folder of its owner that it is in; `nil` in none.
  public var folder: String?
  /// Whether it cannot be deleted.
  public var isProtected = false
  /// The audience of the item.
  public var access: Access = .public
  /// The properties of the type, for example the state of a map area; `{base}` is as in `url`.
  public var properties: JSONValue = .null
  /// The date of creation.
  public var created: Date
  /// The date of the last change.
  public var modified: Date
  /// The number of views.
  public var numViews = 0
  /// The picture, as PNG.
  public var thumbnail: DemoPicture?
  /// The content of the item.
  public var content: Content = .nothing
  /// The rest of the item.
  public var resources: [Resource] = []
  /// The ids of the groups it is shared with.
  public var groups: [String] = []
  /// Parts of a file that is being uploaded, by number.
  var uploadedParts: [Int: Data] = [:]

  /// Creates an item.
  public init(id: String, owner: String, title: String, type: String, created: Date) {
    self.id = id
    self.owner = owner
    self.title = title
    self.type = type
    self.created = created
    modified = created
  }
}
