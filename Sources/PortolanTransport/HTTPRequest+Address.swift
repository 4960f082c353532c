public import Foundation

extension HTTPRequest {
  /// The address for messages: without query, user or password, so that it holds no secret.
  public var address: String { url.withoutSecrets }
}

extension URL {
  /// The address as text, without query, fragment, user and password.
  public var withoutSecrets: String {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
      return host() ?? "?"
    }
    parts.query = nil
    parts.fragment = nil
    parts.user = nil
    parts.password = nil
    return parts.string ?? host() ?? "?"
  }
}
