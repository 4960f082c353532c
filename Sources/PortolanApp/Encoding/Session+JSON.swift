internal import Foundation
public import PortolanJSON

extension SessionState {
  /// The session, as JSON output holds it; no secret is part of it.
  public var json: JSONValue {
    var members: JSONObject = ["signedIn": .bool(user.map { !$0.needsSignIn } ?? false)]
    if let user {
      for member in user.json.members { members[member.name] = member.value }
    } else {
      members["portal"] = JSONValue(orNull: portal?.absoluteString)
    }
    let others = users.filter { $0.portal != portal }
    members["others"] = .array(others.map { .object($0.json) })
    return .object(members)
  }
}

extension SignedInUser {
  /// The user, as JSON output holds it; no secret is part of it.
  public var document: JSONValue { .object(json) }

  fileprivate var json: JSONObject {
    var members: JSONObject = [
      "portal": .string(portal.absoluteString), "name": .string(name),
      "user": JSONValue(orNull: username),
      "fullName": JSONValue(orNull: fullName), "organization": JSONValue(orNull: organization),
      "method": JSONValue(orNull: method?.rawValue), "expires": JSONValue(orNull: expires),
      "needsSignIn": .bool(needsSignIn), "offline": .bool(isOffline),
    ]
    switch check {
    case .accepted?, .refused?: members["checked"] = true
    case .unknown?: members["checked"] = false
    case nil: break
    }
    return members
  }
}

extension SignOutResult {
  /// The account that was signed out, as JSON output holds it.
  public var json: JSONValue {
    var members: JSONObject = [
      "portal": .string(user.portal.absoluteString), "user": JSONValue(orNull: user.username),
      "revoked": .bool(revocation == .revoked),
    ]
    members["problem"] = problem.map { .string($0.message) }
    return .object(members)
  }
}
