internal import Foundation
internal import PortolanTransport

/// What a server's clock says, beside ours.
struct ServerTime: Sendable {
  /// How many seconds the server's clock is ahead; less than half a minute counts as none.
  let lead: TimeInterval

  /// Reads the `Date` of an answer that has just arrived.
  ///
  /// - Parameters:
  ///   - response: The answer; without a `Date` the clocks are taken to agree.
  ///   - now: Our time.
  init(of response: HTTPResponse, now: Date) {
    let date = response.headers["Date"].flatMap(Self.date(of:))
    let lead = date.map { $0.timeIntervalSince(now) } ?? 0
    self.lead = abs(lead) < 30 ? 0 : lead
  }

  /// RFC 9110, 5.6.7, the preferred form.
  private static func date(of text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return formatter.date(from: text)
  }
}
