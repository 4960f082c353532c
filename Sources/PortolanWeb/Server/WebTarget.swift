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
    query = Dictionary(
      (components.queryItems ?? []).map { ($0.name, $0.value ?? "") },
      uniquingKeysWith: { first, _ in first })
  }
}
