internal import PortolanApp

/// Numbers the edits of the open map that can be undone, so that a page undoes its own edit and
/// none that another page has made since.
struct EditNumbers {
  private var stack: [Int64] = []
  private var opening: Int?
  private var last: Int64 = 0

  /// Notes that an edit was made.
  ///
  /// - Parameters:
  ///   - count: How many edits can be undone now.
  ///   - opening: The number of the map.
  /// - Returns: The number of the edit.
  mutating func add(count: Int, opening: Int) -> Int64 {
    if self.opening != opening { stack = [] }
    self.opening = opening
    last += 1
    // What was undone has gone from the end, what is too long ago from the beginning.
    let before = stack.prefix(max(count - 1, 0))
    stack = Array(repeating: 0, count: max(count - 1 - before.count, 0)) + before + [last]
    return last
  }

  /// Whether an edit is the next one that would be undone.
  func isLast(_ number: Int64, count: Int, opening: Int) -> Bool {
    self.opening == opening && stack.count >= count && count > 0 && stack[count - 1] == number
  }
}
