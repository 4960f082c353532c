/// The part of a file that a response holds: `bytes 100-199/1000` (RFC 9110, 14.4).
struct ContentRange: Hashable, Sendable {
  /// The bytes; `nil` for `bytes */1000`, which says that none were sent.
  var range: Range<Int>?
  /// The length of the whole; `nil` where the server does not know it.
  var total: Int?

  /// Reads a header's value; `nil` if it makes no sense.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    if parts[1] != "*" {
      guard let total = Self.number(parts[1]) else { return nil }
      self.total = total
    }
    guard parts[0] != "*" else { return }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    range = first..<(last + 1)
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
  }
}
