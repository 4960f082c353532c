internal import Foundation

/// A time as ZIP archives keep it: in an unknown time zone, in steps of two seconds.
struct ZIPDate {
  /// Hours, minutes and half seconds in 5, 6 and 5 bits.
  let time: UInt16
  /// Years since 1980, month and day in 7, 4 and 5 bits.
  let day: UInt16

  /// `date` in UTC, moved into the years from 1980 to 2107.
  init(_ date: Date) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let range = 315_532_800.0...4_354_819_198.0
    let seconds = min(max(date.timeIntervalSince1970, range.lowerBound), range.upperBound)
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: seconds))
    time = UInt16(
      (parts.hour ?? 0) << 11 | (parts.minute ?? 0) << 5 | (parts.second ?? 0) / 2)
    day = UInt16(
      ((parts.year ?? 1980) - 1980) << 9 | (parts.month ?? 1) << 5 | (parts.day ?? 1))
  }
}
