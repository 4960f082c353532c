internal import Foundation

extension DemoState {
  /// A fortnight, as ArcGIS Online gives.
  private static let standardRefreshMinutes = 20_160
  private static let maximumRefreshMinutes = 129_600

  /// The application of that name.
  func application(_ clientID: String) -> DemoApplication? {
    applications.first { $0.clientID == clientID }
  }

  /// Remembers what was asked for while a person signs in.
  ///
  /// - Returns: The name that the page knows it by.
  func begin(_ authorization: OAuthBook.Authorization) -> String {
    let state = identifiers.nextSecret()
    oauth.begin(authorization, as: state)
    return state
  }

  func authorization(_ state: String) -> OAuthBook.Authorization? { oauth.authorization(state) }

  func endAuthorization(_ state: String) { oauth.end(state) }

  /// A code for the application to fetch its tokens with, within ten minutes.
  func issueCode(_ authorization: OAuthBook.Authorization, username: String) -> String {
    let value = identifiers.nextSecret()
    let expires = clock.now().addingTimeInterval(600)
    oauth.add(
      OAuthBook.Code(authorization: authorization, username: username, expires: expires), as: value)
    return value
  }

  func takeCode(_ value: String) -> OAuthBook.Code? { oauth.take(value, now: clock.now()) }

  /// A new refresh token of a person; -1 minutes stand for the longest lifetime.
  func issueRefreshToken(
    clientID: String, username: String, minutes: Int?
  ) -> OAuthBook.RefreshToken {
    let asked = minutes ?? Self.standardRefreshMinutes
    let granted = asked < 0 ? Self.maximumRefreshMinutes : min(asked, Self.maximumRefreshMinutes)
    let token = OAuthBook.RefreshToken(
      value: identifiers.nextSecret(), clientID: clientID, username: username,
      expires: clock.now().addingTimeInterval(TimeInterval(granted * 60)))
    oauth.add(token)
    return token
  }

  func refreshToken(_ value: String) -> OAuthBook.RefreshToken? { oauth.refreshToken(value) }

  /// Forgets a refresh token.
  func endSession(_ refreshToken: String) { oauth.removeRefreshToken(refreshToken) }

  /// Lets every refresh token that has been given out be over.
  public func expireRefreshTokens() { oauth.expireRefreshTokens(at: clock.now()) }
}
