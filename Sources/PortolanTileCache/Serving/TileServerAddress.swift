internal import Foundation

/// The URL of a request, split into its parts.
struct TileServerAddress: Hashable, Sendable {
  /// The parts of the path, decoded.
  let path: [String]
  /// The query, names in lower case.
  let query: [String: String]

  /// Reads the target of a request; `nil` for one that cannot be decoded.
  init?(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "/").map(Self.decoded)
    guard parts.allSatisfy({ $0 != nil }) else { return nil }
    path = parts.compactMap(\.self)
    var query: [String: String] = [:]
    for pair in halves.dropFirst().first?.split(separator: "&") ?? [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // A plus in a query is a blank, as forms write it.
      query[sides[0].lowercased()] =
        sides.count > 1 ? Self.decoded(sides[1].replacing("+", with: " ")) : ""
    }
    self.query = query
  }

  private static func decoded(_ part: Substring) -> String? {
    // Most parts are numbers, in which looking is quicker.
    part.utf8.contains(UInt8(ascii: "%")) ? String(part).removingPercentEncoding : String(part)
  }
}
