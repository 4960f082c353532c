/// Formats a number of bytes for people, the same in every locale.
public enum ByteCount {
  /// In bytes, kB, MB, GB or TB of a thousand each, with three digits or so.
  public static func text(_ count: Int) -> String {
    guard count >= 1_000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var (value, unit) = (Double(count), 0)
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    // 999,950 is where one decimal would round up to a thousand of the smaller unit.
    while value >= 999.95, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    return tenths >= 1_000 || tenths % 10 == 0
      ? "\((tenths + 5) / 10) \(units[unit])"
      : "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
