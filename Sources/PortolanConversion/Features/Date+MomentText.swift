internal import Foundation

extension Date {
  /// The moment in ISO 8601 and UTC, with milliseconds where it has some.
  var momentText: String {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
    return formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
  }
}
