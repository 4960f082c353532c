public import Foundation

/// The reason why a sign-in, or a step of it, did not work.
public enum SignInFailure: Hashable, Sendable {
  /// The text typed is not the address of a portal.
  case badAddress(String)
  /// The setting or option that names the portal does not hold the address of one.
  case badSetting(String, named: String)
  /// The portal refuses, in its own words.
  case refused(host: String, reason: String)
  /// The user denied access on the portal's page.
  case denied(host: String)
  /// A password or token would travel without encryption.
  case plainHTTP(host: String)
  /// The answer to the sign-in page does not belong to this sign-in.
  case wrongState
  /// The text pasted is neither a code nor the address of the portal's answer.
  case notACode
  /// The sign-in page was not completed in time.
  case timedOut(seconds: Int)
  /// No place on this machine could be opened for the portal's answer.
  case noRedirect(reason: String)
  /// Nobody is signed in there.
  case notSignedIn(host: String)
  /// Credentials cannot be read or written.
  case storage(CredentialStoreError)
}

extension SignInFailure: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .badAddress(let text): "\"\(text)\" is not the address of a portal."
    case .badSetting(let text, let name):
      "\(name) is \"\(text)\", which is not the address of a portal."
    case .refused(let host, let reason):
      "\(host) refused to sign you in: \(reason)\(reason.hasSuffix(".") ? "" : ".")"
    case .denied(let host): "The sign-in at \(host) was not approved."
    case .plainHTTP(let host): "\(host) is asked without encryption; nothing secret is sent there."
    case .wrongState: "That answer belongs to another sign-in."
    case .notACode: "That is neither a code nor the address of the page that shows it."
    case .timedOut(let seconds): "The sign-in page was not finished within \(seconds) seconds."
    case .noRedirect(let reason): "The portal's answer cannot be received: \(reason)."
    case .notSignedIn(let host): "You are not signed in at \(host)."
    case .storage(let error): error.errorDescription
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .badAddress:
      "Type it as in a browser, for example www.arcgis.com or gis.example.org/portal."
    case .badSetting:
      "Set it to an address as in a browser, for example www.arcgis.com or gis.example.org/portal."
    case .refused:
      "Check the user name and the password. Some organizations allow the browser only."
    case .denied: "Sign in again and approve it."
    case .plainHTTP:
      "Use https://, or name the host in the setting plain-http-hosts if it is yours."
    case .wrongState, .notACode: "Sign in again, and paste what the page shows last."
    case .timedOut:
      "Sign in again. If the browser is on another machine, sign in with a code from the browser."
    case .noRedirect: "Sign in with a code from the browser."
    case .notSignedIn: "Sign in."
    case .storage(let error): error.recoverySuggestion
    }
  }
}
