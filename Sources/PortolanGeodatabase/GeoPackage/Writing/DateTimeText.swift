internal import PortolanFeatures

internal import struct Foundation.Date

/// Moments as GeoPackages store them: `2017-02-11T20:55:04.125Z`.
///
/// - SeeAlso: [Column data types](https://www.geopackage.org/spec131/#table_column_data_types)
enum DateTimeText {
  /// The text of a moment, to the millisecond; `nil` outside the years 0 to 9999.
  static func text(of date: Date) -> String? {
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
