internal import PortolanJSON

extension DemoUser {
  /// The privileges of a member's role.
  var privileges: [String] {
    let all = [
      "features:user:edit", "portal:user:createItem", "portal:user:joinGroup",
      "portal:user:shareToGroup", "portal:user:shareToOrg", "portal:user:shareToPublic",
      "portal:user:viewOrgItems", "portal:user:viewOrgUsers",
    ]
    let publisher = ["features:user:fullEdit", "portal:publisher:publishFeatures"]
    switch role {
    case "org_admin": return all + publisher + ["portal:admin:viewItems", "portal:admin:viewUsers"]
    case "org_publisher": return all + publisher
    default: return all
    }
  }

  /// The user as others see it; `isSelf` adds what only the user sees.
  func json(groups: [DemoGroup], isSelf: Bool) -> JSONValue {
    let names = fullName.split(separator: " ").map(String.init)
    var user: JSONObject = [
      "username": .string(username), "id": .string(id),
      "fullName": .string(fullName), "firstName": .text(names.first),
      "lastName": .text(names.last), "description": .null, "tags": [], "culture": "en",
      "region": "WO", "units": "metric", "thumbnail": .null, "created": 1_773_576_000_000,
      "modified": 1_773_576_000_000, "provider": "arcgis", "access": "org",
      "orgId": .string(DemoOrganization.id), "role": .string(role),
      "groups": .array(groups.map { $0.json(for: username) }),
    ]
    guard isSelf else { return .object(user) }
    let own: JSONObject = [
      "email": .string("\(username)@example.com"), "preferredView": .null, "idpUsername": .null,
      "favGroupId": .null, "lastLogin": 1_773_576_000_000, "mfaEnabled": false,
      "storageUsage": 0, "storageQuota": 2_199_023_255_552, "availableCredits": -1,
      "assignedCredits": -1, "privileges": .texts(privileges), "level": "2", "disabled": false,
      "userType": "arcgisonly", "userLicenseTypeId": "creatorUT",
    ]
    for member in own.members { user[member.name] = member.value }
    return .object(user)
  }
}

extension DemoGroup {
  /// The group, as `username` sees it.
  func json(for username: String?) -> JSONValue {
    let membership =
      username == owner ? "owner" : members.contains(username ?? "") ? "member" : "none"
    return [
      "id": .string(id), "title": .string(title), "isInvitationOnly": true,
      "owner": .string(owner), "description": .null, "snippet": .string(snippet), "tags": [],
      "phone": .null, "sortField": "title", "sortOrder": "asc", "isViewOnly": false,
      "thumbnail": .null, "created": 1_773_576_000_000, "modified": 1_773_576_000_000,
      "provider": .null, "providerGroupName": .null, "access": .string(access.rawValue),
      "capabilities": [], "isFav": false, "isOpenData": false, "isReadOnly": false,
      "protected": false, "autoJoin": false, "notificationsEnabled": false,
      "collaborationInfo": [:],
      "userMembership": [
        "username": .text(username), "memberType": .string(membership),
        "applications": 0,
      ],
    ]
  }
}
