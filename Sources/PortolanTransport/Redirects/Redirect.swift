internal import Foundation

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
    let isHome = isSameParty(request.url, target) && isSameParty(original.url, target)
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

  /// Whether what one address may know, the other may know too: the same server, and no less
  /// protected on the way.
  private static func isSameParty(_ old: URL, _ new: URL) -> Bool {
    guard old.host()?.lowercased() == new.host()?.lowercased() else { return false }
    let (from, to) = (old.origin, new.origin)
    return from == to || (from == "http:80" && to == "https:443")
  }
}

extension URL {
  /// The scheme and the port.
  fileprivate var origin: String {
    let scheme = scheme?.lowercased() ?? ""
    return "\(scheme):\(port ?? (scheme == "https" ? 443 : 80))"
  }
}
