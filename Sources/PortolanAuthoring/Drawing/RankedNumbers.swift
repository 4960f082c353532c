/// Finds the numbers at some ranks without sorting all of them (quickselect, for several ranks at once).
enum RankedNumbers {
  /// How often a part is cut in two before it is sorted, which bounds the time for any order of numbers.
  private static let maximumDepth = 60

  /// The numbers that would stand at `ranks`, ascending and counted from 0, if `numbers` were sorted.
  static func at(_ ranks: [Int], of numbers: [Double]) -> [Double] {
    var numbers = numbers
    place(ranks[...], in: numbers.indices, of: &numbers, depth: 0)
    return ranks.map { numbers[$0] }
  }

  /// Brings the numbers of `ranks` to their places, within a part whose numbers are neither less than any
  /// before it nor greater than any behind it.
  private static func place(
    _ ranks: ArraySlice<Int>, in part: Range<Int>, of numbers: inout [Double], depth: Int
  ) {
    guard !ranks.isEmpty, part.count > 1 else { return }
    guard depth < maximumDepth else { return numbers[part].sort() }
    let middle = median(
      numbers[part.lowerBound], numbers[part.lowerBound + part.count / 2],
      numbers[part.upperBound - 1])
    var (low, high) = (part.lowerBound, part.upperBound - 1)
    while low <= high {
      while numbers[low] < middle { low += 1 }
      while numbers[high] > middle { high -= 1 }
      guard low <= high else { break }
      numbers.swapAt(low, high)
      low += 1
      high -= 1
    }
    // What lies between both ends equals the middle, and is in its place.
    place(
      ranks.prefix { $0 <= high }, in: part.lowerBound..<(high + 1), of: &numbers, depth: depth + 1)
    place(ranks.drop { $0 < low }, in: low..<part.upperBound, of: &numbers, depth: depth + 1)
  }

  private static func median(_ a: Double, _ b: Double, _ c: Double) -> Double {
    max(min(a, b), min(max(a, b), c))
  }
}
