internal import Foundation

/// The sign-ins, codes and refresh tokens of OAuth that are in progress.
struct OAuthBook: Sendable {
  /// The request of an application that sent a person to sign in.
  struct Authorization: Hashable, Sendable {
    var clientID: String
    var redirectURI: String
    var wantsCode: Bool
    var state: String?
    /// In minutes.
    var expiration: Int?
    var challenge: PKCEChallenge?
  }

  /// A code that has not been turned into a token yet.
  struct Code: Sendable {
    let authorization: Authorization
    let username: String
    let expires: Date
  }

  /// The token that keeps an application signed in.
  struct RefreshToken: Sendable {
    let value: String
    let clientID: String
    let username: String
    let expires: Date
  }

  private var authorizations: [String: Authorization] = [:]
  private var codes: [String: Code] = [:]
  private var refreshTokens: [String: RefreshToken] = [:]

  mutating func begin(_ authorization: Authorization, as state: String) {
    authorizations[state] = authorization
  }

  func authorization(_ state: String) -> Authorization? { authorizations[state] }

  mutating func end(_ state: String) { authorizations[state] = nil }

  mutating func add(_ code: Code, as value: String) { codes[value] = code }

  /// The code, which works once.
  mutating func take(_ value: String, now: Date) -> Code? {
    guard let code = codes.removeValue(forKey: value), code.expires > now else { return nil }
    return code
  }

  mutating func add(_ token: RefreshToken) { refreshTokens[token.value] = token }

  func refreshToken(_ value: String) -> RefreshToken? { refreshTokens[value] }

  mutating func removeRefreshToken(_ value: String) { refreshTokens[value] = nil }

  /// Lets every refresh token end at `date`.
  mutating func expireRefreshTokens(at date: Date) {
    refreshTokens = refreshTokens.mapValues {
      RefreshToken(value: $0.value, clientID: $0.clientID, username: $0.username, expires: date)
    }
  }
}
