public import Foundation
internal import PortolanCrypto

/// A sign-in by OAuth that has begun and waits for the user to finish the portal's page.
public struct OAuthAuthorization: Sendable {
  /// The redirect URI with which the portal shows a page with the code, to be typed into the app.
  public static let outOfBand = "urn:ietf:wg:oauth:2.0:oob"

  /// The portal.
  public let portal: PortalURL
  /// The app that asks.
  public let clientID: String
  /// The URL to which the portal sends its answer, or ``outOfBand``.
  public let redirectURI: String
  /// The page to open in a browser; it holds nothing secret.
  public let page: URL

  let verifier: Secret
  private let state: String

  /// Begins a sign-in.
  ///
  /// - Throws: ``SignInFailure/badAddress(_:)`` if no page can be made of these,
  ///   ``SignInFailure/noRedirect(reason:)`` if this machine makes no digests.
  init(
    portal: PortalURL, clientID: String, redirectURI: String, random: RandomSource
  ) throws(PortalError) {
    let proof: PKCE
    do {
      proof = try PKCE(random: random)
    } catch {
      throw .signIn(.noRedirect(reason: error.errorDescription ?? "no digest"))
    }
    state = Base64URL.encode(random.bytes(16))
    verifier = proof.verifier
    self.portal = portal
    self.clientID = clientID
    self.redirectURI = redirectURI
    let parameters: RESTParameters = [
      "client_id": clientID, "response_type": "code", "redirect_uri": redirectURI,
      "state": state, "expiration": "20160", "code_challenge": proof.challenge,
      "code_challenge_method": "S256",
    ]
    var parts = URLComponents(
      url: portal.resource("oauth2/authorize"), resolvingAgainstBaseURL: true)
    parts?.percentEncodedQuery = parameters.formEncoded
    guard let page = parts?.url else { throw .signIn(.badAddress(portal.description)) }
    self.page = page
  }

  /// Whether an address is the portal's answer to this sign-in, good or bad.
  public func isAnswer(_ address: URL) -> Bool {
    let items = URLComponents(url: address, resolvingAgainstBaseURL: true)?.queryItems ?? []
    return items.contains { $0.name == "state" && $0.value == state }
  }

  /// The code in the portal's answer.
  ///
  /// - Parameter answer: The address that the browser was sent to.
  /// - Returns: The code.
  /// - Throws: ``SignInFailure/denied(host:)`` if the user said no,
  ///   ``SignInFailure/wrongState``, ``SignInFailure/refused(host:reason:)``.
  public func code(fromRedirect answer: URL) throws(PortalError) -> Secret {
    let items = URLComponents(url: answer, resolvingAgainstBaseURL: true)?.queryItems ?? []
    func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
    guard value("state") == state else { throw .signIn(.wrongState) }
    if let error = value("error") {
      if error == "access_denied" { throw .signIn(.denied(host: portal.shownHost)) }
      let reason = ErrorEnvelope(code: nil, message: value("error_description") ?? error)
      throw .signIn(.refused(host: portal.shownHost, reason: reason.message))
    }
    guard let code = value("code"), !code.isEmpty else { throw .signIn(.notACode) }
    return Secret(code)
  }

  /// The code in what a person pasted: the code alone, "SUCCESS code=...", or a whole address.
  ///
  /// - Throws: As ``code(fromRedirect:)``, and ``SignInFailure/notACode``.
  public func code(fromPasted text: String) throws(PortalError) -> Secret {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.contains("://"), let address = URL(string: text) {
      return try code(fromRedirect: address)
    }
    let code = text.range(of: "code=").map { text[$0.upperBound...].prefix { $0 != "&" } }
    let bare = String(code ?? text[...]).removingPercentEncoding ?? ""
    guard (1...2048).contains(bare.utf8.count), bare.utf8.allSatisfy({ (0x21...0x7E) ~= $0 }) else {
      throw .signIn(.notACode)
    }
    return Secret(bare)
  }
}
