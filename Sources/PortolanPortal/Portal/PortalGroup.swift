public import Foundation
public import PortolanJSON

/// A group of people that items are shared with.
public struct PortalGroup: Hashable, Sendable, Identifiable {
  /// The id.
  public var id: PortalItem.ID
  /// The name for people.
  public var title: String
  /// The user name of the owner.
  public var owner: String?
  /// The summary, a sentence.
  public var snippet: String?
  /// The description, in HTML.
  public var groupDescription: String?
  /// Words to find it by.
  public var tags: [String]
  /// The name of its picture.
  public var thumbnail: String?
  /// The sharing level.
  public var access: PortalItem.Access?
  /// The date of creation.
  public var created: Date?
  /// The date of the last change.
  public var modified: Date?
  /// Whether people can join only if invited.
  public var isInvitationOnly: Bool
  /// Whether only its owner and managers add items.
  public var isViewOnly: Bool
  /// The role of the user in it: `owner`, `admin`, `member` or `none`.
  public var memberType: String?
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension PortalGroup {
  /// Reads a group; `nil` if it has no id, or one that cannot be an id.
  public init?(json: JSONValue) {
    guard let json = json.object, let id = json.itemID else { return nil }
    self.id = id
    title = json.filledText("title") ?? ""
    owner = json.filledText("owner")
    snippet = json.filledText("snippet")
    groupDescription = json.filledText("description")
    tags = json.texts("tags")
    thumbnail = json.filledText("thumbnail")
    access = json.filledText("access").map(PortalItem.Access.init(rawValue:))
    created = json.date("created")
    modified = json.date("modified")
    isInvitationOnly = json.flag("isInvitationOnly") ?? false
    isViewOnly = json.flag("isViewOnly") ?? false
    memberType = json.object("userMembership")?.filledText("memberType")
    self.json = json
  }
}
