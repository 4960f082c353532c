internal import Foundation
internal import PortolanApp
internal import PortolanJSON
internal import PortolanTransport

extension SessionState {
  /// The state as a page reads it; no secret is part of it.
  var pageJSON: JSONValue {
    [
      "portal": JSONValue(portal?.absoluteString), "phase": .string(phase.name),
      "page": JSONValue(phase.page?.absoluteString),
      "user": user?.pageJSON ?? .null, "problem": problem?.json ?? .null,
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

extension SignedInUser {
  fileprivate var pageJSON: JSONValue {
    [
      "name": .string(name), "username": JSONValue(username),
      "organization": JSONValue(organization), "portal": .string(portal.absoluteString),
    ]
  }
}

extension NetworkStatus {
  /// The state as a page reads it.
  var pageJSON: JSONValue { ["isOnline": .bool(isOnline), "text": .string(sentence)] }

  private var sentence: String {
    switch self {
    case .online(isMetered: true): "Online, on a metered network."
    case .online: "Online."
    case .offline(.asked): "Offline, as asked."
    case .offline(.notConnected): "There is no network."
    }
  }
}
