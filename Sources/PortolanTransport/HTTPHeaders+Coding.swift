internal import Foundation

extension HTTPHeaders {
  /// Whether those of a request name gzip in `Accept-Encoding`, and not with the weight of zero.
  ///
  /// Without the field any coding may be sent (RFC 9110, 12.5.3), but who leaves it out rarely decodes any.
  public var acceptsGzip: Bool {
    let codings = values(of: "Accept-Encoding").flatMap { $0.lowercased().split(separator: ",") }
      .map { coding in
        let parts = coding.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
        return (name: parts.first, weight: weight.flatMap { Double($0.dropFirst(2)) } ?? 1)
      }
    let gzip = codings.first { $0.name == "gzip" } ?? codings.first { $0.name == "*" }
    return gzip.map { $0.weight > 0 } ?? false
  }
}
