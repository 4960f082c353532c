internal import Foundation
internal import PortolanApp
internal import PortolanJSON

extension SessionState {
  /// The state as a page reads it: who is signed in, and how far signing in is.
  var pageJSON: JSONValue {
    var members = json.object ?? [:]
    members["phase"] = .string(phase.name)
    members["page"] = JSONValue(phase.page?.absoluteString)
    members["problem"] = problem?.json ?? .null
    members["servers"] = .array(usersOfServers.map(\.serverJSON))
    return .object(members)
  }
}

extension SignedInUser {
  /// A user of a server, without any secret.
  fileprivate var serverJSON: JSONValue {
    [
      "server": .string(portal.absoluteString), "name": .string(name),
      "needsSignIn": .bool(needsSignIn),
    ]
  }
}

extension SessionState.Phase {
  fileprivate var name: String {
    switch self {
    case .unknown: "unknown"
    case .signedOut: "signedOut"
    case .signingIn: "signingIn"
    case .signedIn: "signedIn"
    case .needsSignIn: "needsSignIn"
    }
  }

  /// The page that a sign-in is to be finished on.
  fileprivate var page: URL? {
    if case .signingIn(let page) = self { page } else { nil }
  }
}
