internal import PortolanJSON

/// The format of a date, by the names of the web map specification.
///
/// A name is that of a day, followed by that of a time: `shortDateLE` and `ShortTime24` make
/// `shortDateLEShortTime24`.
///
/// - SeeAlso: [format](https://developers.arcgis.com/web-map-specification/objects/format/)
public struct PopupDateFormat: Hashable, Sendable {
  /// The format of the day.
  public enum Day: String, Hashable, Sendable, CaseIterable {
    /// `12/21/1997`
    case shortDate
    /// `21/12/1997`
    case shortDateLE
    /// `December 21, 1997`
    case longMonthDayYear
    /// `21 Dec 1997`
    case dayShortMonthYear
    /// `Sunday, December 21, 1997`
    case longDate
    /// `December 1997`
    case longMonthYear
    /// `Dec 1997`
    case shortMonthYear
    /// `1997`
    case year
  }

  /// The format of the time.
  public enum Time: String, Hashable, Sendable, CaseIterable {
    /// Not at all.
    case none = ""
    /// `6:00 PM`
    case shortTime = "ShortTime"
    /// `18:00`
    case shortTime24 = "ShortTime24"
    /// `6:00:00 PM`
    case longTime = "LongTime"
    /// `18:00:00`
    case longTime24 = "LongTime24"
  }

  /// The format of the day; `nil` if only the time is written.
  public var day: Day?
  /// The format of the time.
  public var time: Time

  /// Creates a format.
  public init(_ day: Day?, _ time: Time = .none) {
    self.day = day
    self.time = time
  }

  /// Reads a name, whatever its case; `nil` if the specification has no such name.
  ///
  /// Months and years have no time.
  public init?(name: String) {
    guard let found = Self.byName[name.lowercased()] else { return nil }
    self = found
  }

  /// The name in documents.
  public var name: String { (day ?? .shortDate).rawValue + time.rawValue }

  /// All formats of the specification.
  public static let all: [PopupDateFormat] = Day.allCases.flatMap { day in
    let takesTime = ![.longMonthYear, .shortMonthYear, .year].contains(day)
    return (takesTime ? Time.allCases : [.none]).map { PopupDateFormat(day, $0) }
  }

  private static let byName = Dictionary(
    all.map { ($0.name.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
}

extension PopupDateFormat {
  /// Reads a newer `fieldFormat` for dates, as near as the older names come to it.
  init?(fieldFormat json: JSONObject) {
    guard json.text("type") == "date-time" else { return nil }
    let is24 = json.text("hour12") == "never" || json.flag("hour12") == false
    let day: Day? =
      switch json.text("dateStyle") {
      case "full": .longDate
      case "long": .longMonthDayYear
      case "medium": .dayShortMonthYear
      case "short": .shortDate
      default: Self.partialDay(json)
      }
    let time: Time =
      switch json.text("timeStyle") {
      case "short": is24 ? .shortTime24 : .shortTime
      case .some: is24 ? .longTime24 : .longTime
      case nil: .none
      }
    guard day != nil || time != .none else { return nil }
    self.init(day, time)
  }

  private static func partialDay(_ json: JSONObject) -> Day? {
    guard json["year"] != nil else { return nil }
    return json["month"] == nil
      ? .year : json.text("month") == "short" ? .shortMonthYear : .longMonthYear
  }
}
