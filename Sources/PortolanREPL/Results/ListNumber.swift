/// The number of an entry of a list, as wide as the last one's.
struct ListNumber {
  private let width: Int

  /// The numbers of a list.
  ///
  /// - Parameter count: How many entries it has.
  init(upTo count: Int) { width = "\(count)".count }

  /// A number, flush right with the others.
  func text(_ number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: " ", count: max(width - digits.count, 0)) + digits
  }
}
