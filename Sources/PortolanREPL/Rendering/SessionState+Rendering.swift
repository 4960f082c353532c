internal import Foundation
internal import PortolanApp

extension SignedInUser {
  /// The portal as people call it.
  var host: String { portal.portalName }

  /// The reason why the user has to sign in again, as the end of a sentence.
  fileprivate var wish: String {
    check == .refused
      ? "the portal no longer accepts this; sign in again with \"sign-in\""
      : "the portal wants you to sign in again"
  }

  /// The name with what distinguishes it from others: `Kim Reed (kim)`.
  fileprivate var longName: String {
    guard let username, username != name else { return name }
    return "\(name) (\(username))"
  }
}

extension SessionState {
  /// The message after a sign-in.
  var greeting: TextDocument {
    guard let user else { return text }
    let place = [user.organization, user.host].compactMap(\.self).joined(separator: ", ")
    return TextDocument("Signed in as \(user.longName), \(place).")
  }

  /// The user who is signed in, as text.
  var text: TextDocument {
    let name = portal?.portalName ?? "the portal"
    guard let user else {
      return TextDocument([.line("Nobody is signed in at \(name).")] + others)
    }
    var fields = [
      TextDocument.Field("Name", user.longName), .init("Portal", user.portal.absoluteString),
    ]
    if let organization = user.organization { fields.append(.init("Organization", organization)) }
    if let method = user.method { fields.append(.init("Signed in by", method.phrase)) }
    if let expires = user.expires { fields.append(.init("Until", expires.formatted(.iso8601))) }
    if user.needsSignIn { fields.append(.init("State", user.wish)) }
    if user.isOffline {
      fields.append(
        .init("Network", "none; the portal was not asked whether it still accepts this"))
    } else if case .unknown(let reason)? = user.check {
      fields.append(.init("Not checked", reason))
    }
    return TextDocument([.fields(fields)] + others)
  }

  private var otherUsers: [SignedInUser] { users.filter { $0.portal != portal } }

  private var others: [TextDocument.Block] {
    otherUsers.map { .line("Also signed in: \($0.longName), \($0.host)") }
  }
}

extension SignedInUser.Method {
  fileprivate var phrase: String {
    switch self {
    case .password: "password"
    case .oauth: "OAuth"
    case .application: "the app's secret"
    case .apiKey: "API key"
    }
  }
}

extension URL {
  /// A portal's address without its scheme: `gis.example.org/portal`.
  var portalName: String {
    let port = port.map { ":\($0)" } ?? ""
    return (host() ?? "") + port + (path() == "/" ? "" : path())
  }
}
