public import Foundation

/// The notice about a map whose services could not all be reached.
public enum KeptNotice {
  /// The notice that something is shown as it was stored.
  public static func sentence(since date: Date) -> String {
    "Not all could be asked for: the map is shown as it was on "
      + "\(date.formatted(.iso8601.year().month().day())), and may have changed since."
  }
}
