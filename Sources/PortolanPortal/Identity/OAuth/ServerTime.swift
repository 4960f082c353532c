internal import Foundation
internal import PortolanTransport

/// The time of a server's clock, compared with ours.
struct ServerTime: Sendable {
  /// The lead of the server's clock, in seconds; less than half a minute counts as none.
  let lead: TimeInterval

  /// Reads the `Date` of an answer that has just arrived.
  ///
  /// - Parameters:
  ///   - response: The answer; without a `Date` the clocks are taken to agree.
  ///   - now: Our time.
  init(of response: HTTPResponse, now: Date) {
    let date = response.headers["Date"].flatMap(HTTPDate.date)
    let lead = date.map { $0.timeIntervalSince(now) } ?? 0
    self.lead = abs(lead) < 30 ? 0 : lead
  }
}
