internal import Foundation

/// When a server wants to be asked again (RFC 9110, 10.2.3).
enum RetryAfter {
  /// How long to wait, from the `Retry-After` of an answer; `nil` without one that can be read.
  ///
  /// It is a number of seconds or a date.
  static func pause(after head: HTTPResponseHead, now: Date) -> Duration? {
    guard let value = head.headers["Retry-After"] else { return nil }
    if let seconds = Double(value), seconds.isFinite {
      return .seconds(min(max(seconds, 0), longest))
    }
    guard let date = HTTPDate.date(value) else { return nil }
    // Measured on the server's clock where it tells it, since ours may be wrong.
    let present = head.headers["Date"].flatMap(HTTPDate.date) ?? now
    return .seconds(min(max(date.timeIntervalSince(present), 0), longest))
  }

  /// A day; more than that is no pause.
  private static let longest: Double = 86_400
}
