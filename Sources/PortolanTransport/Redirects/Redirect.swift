package import Foundation

/// The request that follows from a redirect (RFC 9110, 15.4).
enum Redirect {
  /// Whether a status leads elsewhere.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// The request to send instead of `request`.
  ///
  /// - Parameters:
  ///   - head: The redirect.
  ///   - request: What was answered so.
  ///   - original: What was asked first; its credentials go to its own host only.
  /// - Returns: The request; `nil` if it leads nowhere that a request may follow, and so
  ///   is itself the result.
  static func request(
    after head: HTTPResponseHead, to request: HTTPRequest, from original: HTTPRequest
  ) -> HTTPRequest? {
    guard isRedirect(head.status), let target = target(of: head, from: request.url) else {
      return nil
    }
    var next = request
    if changesToGet(head.status, request.method) {
      next.method = .get
      next.body = nil
      for name in ["Content-Type", "Content-Length", "Content-Encoding", "Expect"] {
        next.headers[name] = nil
      }
    }
    next.url = target
    let isHome = request.url.isSameParty(as: target) && original.url.isSameParty(as: target)
    return isHome ? next : RequestCredentials(of: original).removed(from: next)
  }

  private static func target(of head: HTTPResponseHead, from url: URL) -> URL? {
    guard let location = head.headers["Location"], !location.isEmpty,
      let target = URL(string: location, relativeTo: url)?.absoluteURL,
      ["http", "https"].contains(target.scheme?.lowercased()), target.host()?.isEmpty == false
    else { return nil }
    return target
  }

  private static func changesToGet(_ status: Int, _ method: HTTPRequest.Method) -> Bool {
    switch status {
    case 303: method != .get && method != .head
    case 301, 302: method == .post
    default: false
    }
  }
}

extension URL {
  /// Whether what this address may know, such as a key, another may know too: the same server, and no less
  /// protected on the way.
  package func isSameParty(as other: URL) -> Bool {
    guard host()?.lowercased() == other.host()?.lowercased() else { return false }
    return origin == other.origin || (origin == "http:80" && other.origin == "https:443")
  }

  /// The scheme and the port.
  fileprivate var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme):\(port ?? (scheme == "https" ? 443 : 80))"
  }
}
