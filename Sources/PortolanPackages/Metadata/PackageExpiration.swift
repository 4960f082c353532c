public import Foundation
internal import PortolanJSON

/// The expiration date of a package, and what happens after it.
///
/// ArcGIS Pro writes this into packages that it makes for publishers; no sample shows under which
/// names, so any member whose name contains "expir" is taken for it.
///
/// - SeeAlso: Docs/FORMATS.md, 1.2
public struct PackageExpiration: Hashable, Sendable {
  /// The policy after the date has passed.
  public enum Policy: String, Hashable, Sendable {
    /// The package opens, and its message is shown.
    case allowAccess
    /// The package does not open.
    case preventAccess
  }

  /// When it expires.
  public var date: Date
  /// The author's message.
  public var message: String?
  /// The policy after the date has passed.
  public var policy: Policy

  /// Creates an expiration.
  public init(date: Date, message: String? = nil, policy: Policy) {
    self.date = date
    self.message = message
    self.policy = policy
  }

  /// Whether the date has passed at `now`.
  public func isExpired(at now: Date) -> Bool { date <= now }

  /// Looks for an expiration among the members of `object`, and one level below.
  init?(anywhereIn object: JSONObject) {
    let own = object.members.filter { $0.name.lowercased().contains("expir") }
    let date = own.lazy.compactMap { Self.date($0.value) }.first
    let nested = own.lazy.compactMap(\.value.object).first
    let nestedDate = nested?.members.lazy.filter { $0.name.lowercased().contains("date") }
      .compactMap { Self.date($0.value) }.first
    let looseDate = nested?.members.lazy.compactMap { Self.date($0.value) }.first
    guard let found = date ?? nestedDate ?? looseDate else { return nil }
    let members = (nested?.members ?? []) + own
    self.init(
      date: found, message: Self.text(in: members, named: "message"), policy: Self.policy(members))
  }

  private static func text(in members: [JSONObject.Member], named part: String) -> String? {
    members.first { $0.name.lowercased().contains(part) && $0.value.string != nil }?.value.string
  }

  /// The first text among the members that names a behaviour, other than the message.
  private static func policy(_ members: [JSONObject.Member]) -> Policy {
    let texts = members.filter { !$0.name.lowercased().contains("message") }
      .compactMap { $0.value.string?.lowercased() }
    // "dont": `DONT_ALLOW_TO_OPEN` is what the geoprocessing tool of ArcGIS Pro calls it.
    let forbidding = ["prevent", "deny", "block", "hard", "dont"]
    let isForbidden = texts.contains { text in forbidding.contains { text.contains($0) } }
    return isForbidden ? .preventAccess : .allowAccess
  }

  /// The last second, in UTC, of the day that starts at `date`.
  ///
  /// A package that expires on a day, with no time given, can be used until that day ends.
  package static func lastSecond(ofDayStartingAt date: Date) -> Date {
    date.addingTimeInterval(86_399)
  }

  /// The start of 1973, in seconds since 1970.
  private static let earliest = 94_694_400.0

  /// Milliseconds since 1970, seconds since 1970, or ISO 8601.
  private static func date(_ value: JSONValue) -> Date? {
    if let number = value.double ?? value.string.flatMap({ Double($0) }) {
      // The year 5138 in seconds is 1973 in milliseconds: no package expired before that. Small numbers count
      // days of warning, name a policy or switch something on.
      guard number >= earliest else { return nil }
      return Date(timeIntervalSince1970: number < 100_000_000_000 ? number : number / 1000)
    }
    guard let text = value.string else { return nil }
    let moments: [Date.ISO8601FormatStyle] = [.iso8601, .init(includingFractionalSeconds: true)]
    // Each style that does not fit throws; the text then is no date.
    if let moment = moments.lazy.compactMap({ try? $0.parse(text) }).first { return moment }
    // Nor is one that does not begin with a day.
    let day = try? Date.ISO8601FormatStyle().year().month().day().parse(text)
    return day.map(lastSecond(ofDayStartingAt:))
  }
}
