internal import Foundation

/// The path and the query of a request, decoded.
struct WebTarget: Hashable, Sendable {
  /// The path, beginning with a slash, as it came.
  let path: String
  /// The parts of the path, decoded.
  let parts: [String]
  /// The query; of several values of one name the first.
  let query: [String: String]

  /// Reads a target; `nil` for one that is no path, or is not encoded as addresses are.
  init?(_ target: String) {
    guard target.hasPrefix("/"), let components = URLComponents(string: target) else { return nil }
    path = components.percentEncodedPath
    let parts = path.split(separator: "/").map { $0.removingPercentEncoding }
    guard !parts.contains(nil) else { return nil }
    self.parts = parts.compactMap(\.self)
    var query: [String: String] = [:]
    for item in components.percentEncodedQueryItems ?? [] {
      guard let name = Self.decoded(item.name), let value = Self.decoded(item.value ?? "") else {
        return nil
      }
      if query[name] == nil { query[name] = value }
    }
    self.query = query
  }

  /// A name or a value as `URLSearchParams` of the page writes it: with a plus sign for a space.
  private static func decoded(_ text: String) -> String? {
    text.replacing("+", with: " ").removingPercentEncoding
  }
}
