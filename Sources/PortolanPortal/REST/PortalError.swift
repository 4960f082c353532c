public import Foundation
public import PortolanTransport

/// The reason why a request to a portal or a service failed.
///
/// Addresses are without query, user and password, so that no error holds a secret.
public enum PortalError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// No response arrived.
  case transport(TransportError)
  /// The server wants a valid token, and there is none.
  case signInNeeded(host: String)
  /// The caller lacks permission.
  case notPermitted(String, ErrorEnvelope)
  /// It does not exist, or is hidden from the caller; servers do not distinguish these.
  case notFound(String, ErrorEnvelope?)
  /// The server asks clients to back off for a while.
  case rateLimited(host: String, retryAfter: Duration?)
  /// The server reports an error of its own.
  case server(String, ErrorEnvelope)
  /// The body is no JSON.
  case notJSON(String, UnexpectedBody)
  /// The body is JSON of another shape than this resource has.
  case unexpected(String, reason: String)
  /// The address answers, but is no portal.
  case notAPortal(String)
  /// A text that is no id of an item, group or user.
  case invalidID(String)
  /// A part of a longer answer could not be loaded; what part, and why.
  indirect case part(String, PortalError)
  /// A sign-in, or what belongs to it, did not work.
  case signIn(SignInFailure)
}

extension PortalError {
  /// Whether the same request may succeed a little later.
  public var isTransient: Bool {
    switch self {
    case .transport(let error): error.isTransient
    case .rateLimited: true
    case .server(_, let envelope): [408, 502, 503, 504].contains(envelope.code)
    case .part(_, let error): error.isTransient
    case .cancelled, .signInNeeded, .notPermitted, .notFound, .notJSON, .unexpected, .notAPortal,
      .invalidID, .signIn:
      false
    }
  }

  /// The error for a failed transfer.
  public init(_ error: TransportError) {
    self = error == .cancelled ? .cancelled : .transport(error)
  }
}

extension PortalError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "The request was cancelled."
    case .transport(let error): error.errorDescription
    case .signInNeeded(let host): "\(host) wants you to sign in."
    case .notPermitted(let address, let envelope):
      "You may not use \(address)\(envelope.quotation)."
    case .notFound(let address, let envelope):
      "\(address) does not exist, or is not shared with you\(envelope?.quotation ?? "")."
    case .rateLimited(let host, let delay?):
      delay.components.seconds == 1
        ? "\(host) asks to wait 1 second."
        : "\(host) asks to wait \(delay.components.seconds) seconds."
    case .rateLimited(let host, nil): "\(host) has had too many requests."
    case .server(let address, let envelope) where envelope.isOfServer:
      "The server failed at \(address)\(envelope.quotation)."
    case .server(let address, let envelope):
      "\(address) cannot do that\(envelope.quotation)."
    case .notJSON(let address, let body): "\(address) answered with \(body.phrase)."
    case .unexpected(let address, let reason): "\(address) answered in an unknown way: \(reason)."
    case .notAPortal(let address): "\(address) is not a portal."
    case .invalidID(let text): "\"\(text)\" is not an id."
    case .part(let part, let error):
      "Nothing of \(part) could be loaded: \(error.errorDescription ?? "")"
    case .signIn(let failure): failure.errorDescription
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled: nil
    case .transport(let error): error.recoverySuggestion
    case .signInNeeded: "Sign in."
    case .notPermitted: "Ask its owner to share it with you, or sign in as another user."
    case .notFound: "Check the id or the address; sign in if it is not public."
    case .rateLimited: "Try again later."
    case .server(_, let envelope) where envelope.isOfServer:
      "Try again later; tell its administrator if it happens again."
    case .server: "Check what you asked for; tell its administrator if it happens again."
    case .notJSON(_, let body): body.advice
    case .unexpected: "Check the address; it may be a service of another kind."
    case .notAPortal(let address) where address.isHTTPSOfThisMachine:
      "If it speaks no HTTPS, write http://\(address.dropFirst("https://".count))."
    case .notAPortal:
      "Give the address of a portal, for example https://www.arcgis.com or "
        + "https://gis.example.org/portal."
    case .part(_, let error): error.recoverySuggestion
    case .invalidID: "Check the id. The id of an item has 32 digits and letters from a to f."
    case .signIn(let failure): failure.recoverySuggestion
    }
  }
}

extension String {
  /// Whether it is an address of this machine whose servers may well speak HTTP alone.
  fileprivate var isHTTPSOfThisMachine: Bool {
    guard let url = URL(string: self) else { return false }
    return url.scheme == "https" && url.isOnThisMachine
  }
}

extension ErrorEnvelope {
  /// Whether the server says that it has failed itself, whatever was asked of it.
  var isOfServer: Bool { code.map { (500...599).contains($0) } ?? false }

  /// The server's message and code, to be put behind a sentence.
  fileprivate var quotation: String {
    var words = [message]
    words += details.filter { !$0.isEmpty && !message.contains($0) }.prefix(3)
    let text = words.filter { !$0.isEmpty }
      .map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: ". ")
    switch (text.isEmpty, code) {
    // A text made of a bare status contains the code already.
    case (false, let code?) where text.hasSuffix(" \(code)"): return ": \(text)"
    case (false, let code?): return ": \(text) (\(code))"
    case (false, nil): return ": \(text)"
    case (true, let code?): return " (code \(code))"
    case (true, nil): return ""
    }
  }
}

extension PortalError {
  /// Whether the server could not be asked, so that its response is unknown.
  public var isWithoutAnswer: Bool {
    switch self {
    case .transport(let error):
      switch error {
      case .offline, .unreachable, .unknownHost, .interrupted, .timedOut: true
      default: false
      }
    case .part(_, let cause): cause.isWithoutAnswer
    default: false
    }
  }
}
