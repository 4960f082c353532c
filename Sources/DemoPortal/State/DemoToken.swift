public import Foundation

/// A token that the portal has given out.
public struct DemoToken: Hashable, Sendable {
  /// The text that the client sends.
  public let value: String

  /// The realm whose addresses it opens.
  public let realm: DemoRealm

  /// The viewer that it stands for.
  public let viewer: DemoViewer

  /// The date of expiry.
  public let expires: Date

  /// The `Referer` that requests must carry, if it is bound to one.
  public let referer: String?
}

/// The tokens that work.
struct IssuedTokens: Sendable {
  private var tokens: [String: DemoToken] = [:]

  /// Everything given out and not yet expired or withdrawn.
  var count: Int { tokens.count }

  mutating func add(_ token: DemoToken) { tokens[token.value] = token }

  mutating func remove(_ value: String) -> DemoToken? { tokens.removeValue(forKey: value) }

  mutating func removeAll(where isGone: (DemoToken) -> Bool) {
    tokens = tokens.filter { !isGone($0.value) }
  }

  /// The token, if it works in `realm` at `now` for a request with that `Referer`.
  func token(_ value: String, in realm: DemoRealm, referer: String?, now: Date) -> DemoToken? {
    guard let token = tokens[value], token.realm == realm, token.expires > now else { return nil }
    guard let bound = token.referer else { return token }
    return referer?.lowercased().hasPrefix(bound.lowercased()) == true ? token : nil
  }
}
