package import Foundation

extension HTTPResponseHead {
  /// The longest pause that counts as one, in seconds: a day.
  private static let longestPause: Double = 86_400

  /// How long the server asks clients to wait, from its `Retry-After` (RFC 9110, 10.2.3).
  ///
  /// - Parameter now: Our time, for a date where the server does not send its own `Date`; that one
  ///   is preferred, since our clock may be wrong.
  /// - Returns: The pause, at most a day; `nil` without a number of seconds or a date.
  package func retryAfter(now: Date?) -> Duration? {
    guard let value = headers["Retry-After"] else { return nil }
    if let seconds = Double(value), seconds.isFinite {
      return .seconds(min(max(seconds, 0), Self.longestPause))
    }
    guard let date = HTTPDate.date(value),
      let present = headers["Date"].flatMap(HTTPDate.date) ?? now
    else { return nil }
    return .seconds(min(max(date.timeIntervalSince(present), 0), Self.longestPause))
  }
}
