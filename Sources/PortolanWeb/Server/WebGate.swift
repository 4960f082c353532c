internal import Foundation
internal import PortolanCrypto
internal import PortolanHTTPServer
internal import PortolanLocks
internal import PortolanTransport

/// Lets in only the browsers that were let in by the address that Portolan gave.
///
/// Other programs and other people on this machine can reach the port, and so can any page that a
/// browser shows. The address has a token that they do not know; the browser that opens it gets a
/// cookie. `Host` must be this machine, so that no foreign name leads here (DNS rebinding), and
/// `Origin`, where there is one, this server.
final class WebGate: Sendable {
  /// The verdict on a request.
  enum Verdict: Hashable {
    /// The browser was let in, and asks for something.
    case admitted(browser: String)
    /// It has opened the address with the token: it gets the cookie and is sent on.
    case welcome(cookie: String)
    /// It asks for the head of the address with the token only, as programs do that look at links: opening it would
    /// let it in.
    case announced
    /// It has no business here.
    case refused(reason: String)
  }

  /// The name of the cookie; another for each port, since browsers share cookies between ports.
  private let cookieName: String
  private let hosts: Set<String>
  private let token: String
  private let random: RandomSource
  /// The secrets of the browsers that were let in, the latest last.
  private let browsers: Locked<[String]>
  private let admitted: @Sendable ([String]) -> Void
  /// The browsers that are known at most; the others must be let in again.
  private static let mostBrowsers = 32
  /// The tokens that let one browser in, once.
  private let unusedTokens = Locked<Set<String>>([])

  /// Guards a port.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - random: Makes the secrets.
  ///   - browsers: The browsers that were let in before.
  ///   - admitted: Called with all browsers whenever one is let in.
  init(
    port: UInt16, random: RandomSource, browsers: [String] = [],
    admitted: @escaping @Sendable ([String]) -> Void = { _ in }
  ) {
    self.browsers = Locked(browsers)
    self.admitted = admitted
    cookieName = "portolan-\(port)"
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    token = Self.secret(random)
    self.random = random
  }

  /// The query of the address that lets a browser in.
  var query: String { "token=\(token)" }

  /// The query of an address that lets a browser in, once.
  func queryForOneBrowser() -> String {
    let token = Self.secret(random)
    unusedTokens.withLock { _ = $0.insert(token) }
    return "token=\(token)"
  }

  func verdict(on request: HTTPServerRequest, _ target: WebTarget) -> Verdict {
    guard let host = request.headers["Host"]?.lowercased(), hosts.contains(host) else {
      return .refused(reason: "The address must be that of this machine.")
    }
    if let origin = request.headers["Origin"], origin != "http://\(host)" {
      return .refused(reason: "Another page has sent the request.")
    }
    if request.method != "GET", request.method != "HEAD", request.headers["Origin"] == nil {
      return .refused(reason: "The request does not say which page has sent it.")
    }
    let isOpening = target.path == "/" && ["GET", "HEAD"].contains(request.method)
    let given = isOpening ? target.query["token"] : nil
    if let given, request.method == "HEAD", isToken(given) { return .announced }
    let known = browsers.withLock { $0 }
    let own = cookies(of: request).first { known.contains($0) }
    if let given, request.method == "GET", useToken(given) {
      // One that is in stays who it is: its other tabs have forms that are open.
      return .welcome(cookie: setCookie(own ?? admit()))
    }
    // One that is in may open the address again whose token it has used.
    if let own { return .admitted(browser: own) }
    guard given == nil else {
      return .refused(reason: "The token in the address is not that of this Portolan.")
    }
    return .refused(reason: "This browser was not let in.")
  }

  /// Whether a token lets a browser in; one for one browser is used up by that.
  private func useToken(_ given: String) -> Bool {
    Self.areEqual(given, token) || unusedTokens.withLock { $0.remove(given) } != nil
  }

  private func isToken(_ given: String) -> Bool {
    Self.areEqual(given, token) || unusedTokens.withLock { $0.contains(given) }
  }

  private func admit() -> String {
    let browser = Self.secret(random)
    let known = browsers.withLock { browsers in
      browsers = Array((browsers + [browser]).suffix(Self.mostBrowsers))
      return browsers
    }
    admitted(known)
    return browser
  }

  private func setCookie(_ browser: String) -> String {
    "\(cookieName)=\(browser); Path=/; HttpOnly; SameSite=Strict"
  }

  private func cookies(of request: HTTPServerRequest) -> [String] {
    request.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      return parts.count == 2 && parts[0] == cookieName ? parts[1] : nil
    }
  }

  private static func secret(_ random: RandomSource) -> String {
    random.bytes(24).map { String($0, radix: 16) }.map { $0.count == 1 ? "0\($0)" : $0 }.joined()
  }

  /// Compares in a time that does not depend on where the texts differ.
  private static func areEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (Array(left.utf8), Array(right.utf8))
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
