/// Counts the days on which a home was used.
///
/// What is kept for some days of use is not lost because a clock jumps, be it back and forth with every
/// start, nor because nobody used the home for a year.
struct DaysOfUse: Hashable, Sendable {
  /// How many of the days that were counted last are remembered, and not counted again.
  static let memory = 64

  private(set) var count = 0
  /// Those days, the latest last.
  private(set) var latest: [Int] = []

  init(count: Int = 0, latest: [Int] = []) {
    self.count = count
    self.latest = latest
  }

  /// Takes note of a day.
  ///
  /// - Returns: How many days it makes.
  mutating func record(_ day: Int) -> Int {
    guard !latest.contains(day) else { return count }
    count += 1
    latest = Array((latest + [day]).suffix(Self.memory))
    return count
  }
}
