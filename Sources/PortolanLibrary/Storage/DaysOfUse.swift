/// Counts the days on which a home was used.
///
/// What is kept for some days of use is not lost because a clock jumps, or because it did not use
/// the home for a year.
struct DaysOfUse: Hashable, Sendable {
  private(set) var count = 0
  private(set) var last: Int?

  init(count: Int = 0, last: Int? = nil) {
    self.count = count
    self.last = last
  }

  /// Takes note of a day.
  ///
  /// - Returns: How many days it makes.
  mutating func record(_ day: Int) -> Int {
    if day != last { count += 1 }
    last = day
    return count
  }
}
