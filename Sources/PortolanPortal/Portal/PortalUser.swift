public import Foundation
public import PortolanJSON

/// A user with an account at a portal.
public struct PortalUser: Hashable, Sendable {
  /// The name to sign in with.
  public var username: String
  /// The name for people.
  public var fullName: String?
  /// The address to write to.
  public var email: String?
  /// The user's own description.
  public var userDescription: String?
  /// Words to find them by.
  public var tags: [String]
  /// The id of their organization.
  public var organizationID: String?
  /// The role in the organization, for example `org_publisher`.
  public var role: String?
  /// The privileges, for example `portal:user:createItem`.
  public var privileges: [String]
  /// The groups that they belong to.
  public var groups: [PortalGroup]
  /// The name of their picture.
  public var thumbnail: String?
  /// The language and country, for example `en-US`.
  public var culture: String?
  /// The region that they work in, for example `US`.
  public var region: String?
  /// `metric` or `english`.
  public var units: String?
  /// The date at which the account was created.
  public var created: Date?
  /// The date of the last change.
  public var modified: Date?
  /// The whole JSON object, as the server sent it.
  public var json: JSONObject
}

extension PortalUser {
  /// Reads a user; `nil` if there is no name, as without a sign-in.
  public init?(json: JSONValue) {
    guard let json = json.object, let username = json.filledText("username") else { return nil }
    self.username = username
    fullName = json.filledText("fullName")
    email = json.filledText("email")
    userDescription = json.filledText("description")
    tags = json.texts("tags")
    organizationID = json.filledText("orgId")
    role = json.filledText("role")
    privileges = json.texts("privileges")
    groups = json.objects("groups").compactMap { PortalGroup(json: .object($0)) }
    thumbnail = json.filledText("thumbnail")
    culture = json.filledText("culture")
    region = json.filledText("region")
    units = json.filledText("units")
    created = json.date("created")
    modified = json.date("modified")
    self.json = json
  }
}
