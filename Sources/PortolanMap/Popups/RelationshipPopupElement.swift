internal import PortolanJSON

/// The records that are related to a feature.
public struct RelationshipPopupElement: Hashable, Sendable, Codable {
  /// The heading; may be empty.
  public var title: String
  /// The description; may be empty.
  public var summary: String
  /// The id of the relationship.
  public var relationshipID: Int
  /// The number of records shown at first; `nil` for the viewer to choose.
  public var displayCount: Int?

  init?(json: JSONObject) {
    guard let id = json.int("relationshipId") else { return nil }
    title = json.text("title") ?? ""
    summary = json.text("description") ?? ""
    relationshipID = id
    displayCount = json.int("displayCount").flatMap { $0 >= 0 ? $0 : nil }
  }
}
