internal import Foundation
internal import PortolanTransport

extension PortalURL {
  /// The roots that a typed address may mean, the likeliest first.
  ///
  /// `arcgis.com`, `gis.example.org`, `https://gis.example.org/portal/home/index.html`,
  /// `[::1]:7443/arcgis/sharing/rest` and the like. What is not on this machine is asked by HTTPS
  /// even where `http` was typed.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - hosts: Hosts, in lower case, that may be asked without encryption if `http` was typed.
  /// - Returns: At least one root; requesting them shows which is a portal.
  /// - Throws: ``SignInFailure/badAddress(_:)``.
  public static func candidates(
    typed text: String, allowingPlainHTTP hosts: Set<String> = []
  ) throws(PortalError) -> [PortalURL] {
    guard let typed = TypedAddress(text) else {
      throw .signIn(.badAddress(TypedAddress.shown(text)))
    }
    var found: [PortalURL] = []
    for scheme in typed.schemes(allowingPlainHTTP: hosts) {
      for path in typed.paths {
        var parts = typed.authority
        parts.scheme = scheme
        parts.percentEncodedPath = path
        guard let candidate = PortalURL(parts) else { continue }
        if !found.contains(where: { $0.root == candidate.root }) { found.append(candidate) }
      }
    }
    guard !found.isEmpty else { throw .signIn(.badAddress(TypedAddress.shown(text))) }
    return found
  }
}

/// The URL of a portal as typed.
private struct TypedAddress {
  /// The scheme in lower case, if one was typed.
  let scheme: String?
  /// Host and port.
  let authority: URLComponents
  private let host: String
  private let segments: [Substring]

  /// The first path components of a portal's pages and resources; the root ends before them.
  private static let pages: Set<String> = [
    "home", "sharing", "rest", "apps", "portaladmin", "webadaptor",
  ]

  init?(_ text: String) {
    let text = text.trimmingCharacters(in: .whitespaces.union(["<", ">", "\"", "'"]))
    var rest = text[...]
    if let separator = text.range(of: "://") {
      let scheme = text[..<separator.lowerBound].lowercased()
      guard ["http", "https"].contains(scheme) else { return nil }
      self.scheme = scheme
      rest = text[separator.upperBound...]
    } else {
      scheme = nil
    }
    let authority = rest.prefix { !"/?#\\".contains($0) }
    guard let host = Self.bracketed(authority),
      let parts = URLComponents(string: "https://" + host), let name = parts.encodedHost,
      !name.isEmpty, parts.port ?? 1 > 0, parts.port ?? 1 <= 65_535
    else { return nil }
    var bare = URLComponents()
    bare.encodedHost = name.lowercased()
    bare.port = [80, 443].contains(parts.port) && scheme == nil ? nil : parts.port
    self.authority = bare
    self.host = name.lowercased()
    let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
    segments = Self.rootSegments(of: path)
  }

  /// Host and port, an IPv6 address without brackets put into them; user and password left out.
  private static func bracketed(_ authority: Substring) -> String? {
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
    let isBareIPv6 = host.count { $0 == ":" } > 1 && !host.hasPrefix("[")
    return isBareIPv6 ? "[\(host)]" : String(host)
  }

  private static func rootSegments(of path: Substring) -> [Substring] {
    let all = path.split(separator: "/").prefix { !pages.contains($0.lowercased()) }
    let isPage = all.last?.contains(".") == true
    return Array(isPage ? all.dropLast() : all)
  }

  func schemes(allowingPlainHTTP hosts: Set<String>) -> [String] {
    switch scheme {
    case "http" where host.isLoopbackHost || hosts.contains(host): return ["http"]
    // An attacker who can block HTTPS could otherwise have the password sent in clear.
    case nil where host.isLoopbackHost: return ["https", "http"]
    default: return ["https"]
    }
  }

  /// The paths to try: Enterprise lives below `/portal` or `/arcgis` unless it was set up otherwise.
  var paths: [String] {
    if host.isOnArcGISOnline { return [""] }
    guard let first = segments.first else { return ["", "/portal", "/arcgis"] }
    return ["/" + segments.prefix(8).joined(separator: "/"), "/\(first)", ""]
  }

  /// The typed text, for a message: without what looks like a user and a password.
  static func shown(_ text: String) -> String {
    let visible = text.split(separator: "@").last.map(String.init) ?? text
    return String(visible.filter { !$0.isNewline }.prefix(100))
  }
}
