internal import Foundation
internal import PortolanTransport

extension AuthenticationManager {
  /// The part of requests to `url` that carries their token, as far as it is known.
  func tokenPlace(for url: URL) -> TokenPlace {
    parameterServers.contains(Self.serverKey(of: url)) ? .parameter : .header
  }

  /// A request with a credential, where its server reads it.
  func carrying(_ credential: Credential, in request: HTTPRequest) -> HTTPRequest {
    request.carrying(
      credential.token, referer: credential.referer, in: tokenPlace(for: request.url))
  }

  /// The same request with its token as a parameter, if the server has not seen it in the header.
  ///
  /// Such a server says that a token is required, not that this one is invalid.
  func asParameter(_ challenge: ArcGISAuthenticationChallenge) -> HTTPRequest? {
    guard challenge.kind == .tokenRequired, challenge.request.tokenPlace == .header else {
      return nil
    }
    parameterServers.insert(Self.serverKey(of: challenge.url))
    return challenge.request.carryingToken(in: .parameter)
  }

  /// The challenge as if the token had been in the header, where the parameter did not help either.
  func withoutParameter(
    _ challenge: ArcGISAuthenticationChallenge
  ) -> ArcGISAuthenticationChallenge {
    let key = Self.serverKey(of: challenge.url)
    guard challenge.kind == .tokenRequired, parameterServers.contains(key) else { return challenge }
    parameterServers.remove(key)
    return ArcGISAuthenticationChallenge(
      request: challenge.request.carryingToken(in: .header), kind: challenge.kind)
  }

  private static func serverKey(of url: URL) -> String {
    let root = url.serverRoot ?? url
    return "\(root.host()?.lowercased() ?? ""):\(root.port ?? 0)"
      + (url.serverRoot == nil ? "" : root.path().lowercased())
  }

  /// The address by HTTPS, where what is asked for over HTTP is known to be there as well.
  ///
  /// Web maps of earlier years name the layers of ArcGIS Online and of portals by `http`. Sent so,
  /// a request must not carry a token, and its redirect to HTTPS would go out without one.
  func secured(_ url: URL) -> URL {
    guard let host = url.host()?.lowercased(), hasSecureTwin(url, host: host) else { return url }
    return url.withHTTPS ?? url
  }

  private func hasSecureTwin(_ url: URL, host: String) -> Bool {
    guard url.scheme?.lowercased() == "http", !environment.plainHTTPHosts.contains(host) else {
      return false
    }
    if host.isOnArcGISOnline || host.hasSuffix(".arcgisonline.com") { return true }
    let portals = Set((accounts ?? [:]).keys).union(currentPortal.map { [$0] } ?? [])
    if portals.contains(where: { $0.isSecureTwin(of: url) }) { return true }
    return url.serverRoot.flatMap(PortalURL.init(root:)).map { servers[$0]?.token != nil } ?? false
  }
}

extension PortalURL {
  /// Whether `url` is on the same host, by HTTP on the default port where this is HTTPS on its.
  fileprivate func isSecureTwin(of url: URL) -> Bool {
    !usesPlainHTTP && port == 443 && host == url.host()?.lowercased()
      && [nil, 80].contains(url.port)
  }
}

extension URL {
  /// The address by HTTPS on the default port; `nil` if it names another port, or is this machine.
  var withHTTPS: URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
      parts.scheme?.lowercased() == "http", [nil, 80].contains(parts.port),
      host()?.isLoopbackHost == false
    else { return nil }
    parts.scheme = "https"
    parts.port = nil
    return parts.url
  }
}
