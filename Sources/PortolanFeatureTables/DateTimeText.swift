internal import PortolanFeatures

package import struct Foundation.Date

/// Moments as GeoPackages store them: `2017-02-11T20:55:04.125Z`.
///
/// - SeeAlso: [Column data types](https://www.geopackage.org/spec131/#table_column_data_types)
package enum DateTimeText {
  /// The moment of a text in ISO 8601; `nil` if it is none.
  ///
  /// The form that is written here takes a shorter way than others.
  package static func date(of text: String) -> Date? {
    let short = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe $0.dateTime }
    return ((short ?? nil) ?? CivilDate(parsing: text))?.date
  }

  /// The text of a moment, to the millisecond; `nil` outside the years 0 to 9999.
  package static func text(of date: Date) -> String? {
    guard let parts = CivilDate(date), (0...9999).contains(parts.year) else { return nil }
    return unsafe String(unsafeUninitializedCapacity: 24) { bytes in
      unsafe bytes.put(parts.year, digits: 4, at: 0, then: "-")
      unsafe bytes.put(parts.month, digits: 2, at: 5, then: "-")
      unsafe bytes.put(parts.day, digits: 2, at: 8, then: "T")
      unsafe bytes.put(parts.hour, digits: 2, at: 11, then: ":")
      unsafe bytes.put(parts.minute, digits: 2, at: 14, then: ":")
      unsafe bytes.put(parts.second, digits: 2, at: 17, then: ".")
      unsafe bytes.put(parts.millisecond, digits: 3, at: 20, then: "Z")
      return 24
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The moment in bytes of the form `2017-02-11T20:55:04.125Z`; `nil` for others.
  fileprivate var dateTime: CivilDate? {
    guard count == 24, unsafe self[4] == UInt8(ascii: "-"), unsafe self[7] == UInt8(ascii: "-"),
      unsafe self[10] == UInt8(ascii: "T"), unsafe self[13] == UInt8(ascii: ":"),
      unsafe self[16] == UInt8(ascii: ":"), unsafe self[19] == UInt8(ascii: "."),
      unsafe self[23] == UInt8(ascii: "Z")
    else { return nil }
    guard let year = unsafe number(0..<4), let month = unsafe number(5..<7),
      let day = unsafe number(8..<10), let hour = unsafe number(11..<13),
      let minute = unsafe number(14..<16), let second = unsafe number(17..<19),
      let millisecond = unsafe number(20..<23)
    else { return nil }
    return CivilDate(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      millisecond: millisecond)
  }

  /// The number that digits make; `nil` if one is none.
  private func number(_ range: Range<Int>) -> Int? {
    var number = 0
    for place in range {
      let digit = unsafe Int(self[place]) - 0x30
      guard (0...9).contains(digit) else { return nil }
      number = number * 10 + digit
    }
    return number
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes a number with leading zeros, and a character behind it.
  fileprivate func put(_ number: Int, digits: Int, at start: Int, then last: Unicode.Scalar) {
    var rest = number
    for place in (start..<start + digits).reversed() {
      unsafe self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    unsafe self[start + digits] = UInt8(ascii: last)
  }
}
