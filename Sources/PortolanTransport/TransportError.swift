public import Foundation

/// Why no response arrived, or not all of it.
///
/// Addresses are without query, user and password, so that no error holds a secret.
public enum TransportError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// There is no network, or it is to be left alone.
  case offline
  /// The address cannot be asked: it is no `http` or `https` address.
  case badAddress(String)
  /// No server of that name is known.
  case unknownHost(String)
  /// No connection could be made.
  case unreachable(host: String, reason: String)
  /// The server's certificate does not prove that it is that host.
  case untrusted(host: String, reason: String)
  /// The server, or the way to it, was silent for too long.
  case timedOut(String, phase: Phase)
  /// The connection ended before the response did.
  case interrupted(String, reason: String)
  /// The response is no proper HTTP, or its headers have no measure.
  case malformed(String, reason: String)
  /// One redirect led to another too often.
  case tooManyRedirects(String)
  /// The body is larger than what was asked for may be.
  case tooLarge(String, limit: Int)
  /// A file that was to be sent cannot be read.
  case unreadable(file: String, reason: String)
  /// The data received could not be stored.
  case storage(file: String, reason: String)
  /// There is no room for what arrives.
  case diskFull(file: String, needed: Int?)

  /// The phase of a transfer that timed out.
  public enum Phase: String, Hashable, Sendable {
    /// The connection.
    case connect
    /// The first byte of the response.
    case firstByte
    /// The next byte of the response.
    case stall
    /// More bytes of the response; those that arrived came too slowly (``HTTPTimeouts/slowest``).
    case pace
    /// The whole response (``HTTPTimeouts/total``).
    case total
  }
}

extension TransportError {
  /// Whether the same request may succeed a little later.
  public var isTransient: Bool {
    switch self {
    case .offline, .unreachable, .timedOut, .interrupted, .unknownHost: true
    case .cancelled, .badAddress, .untrusted, .malformed, .tooManyRedirects, .tooLarge, .unreadable,
      .storage, .diskFull:
      false
    }
  }
}

extension TransportError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .cancelled: "The request was cancelled."
    case .offline: "There is no network."
    case .badAddress(let address): "\"\(address)\" is not an address on the web."
    case .unknownHost(let host): "No server is known under the name \(host)."
    case .unreachable(let host, let reason): "\(host) cannot be reached: \(reason)."
    case .untrusted(let host, let reason):
      "\(host) cannot prove who it is: \(reason)."
    case .timedOut(let address, .connect): "\(address) could not be reached in time."
    case .timedOut(let address, .firstByte): "\(address) did not answer in time."
    case .timedOut(let address, .stall): "\(address) stopped sending."
    case .timedOut(let address, .pace): "\(address) sends too slowly."
    case .timedOut(let address, .total): "\(address) took too long to answer completely."
    case .interrupted(let address, let reason): "\(address) broke off: \(reason)."
    case .malformed(let address, let reason): "\(address) answered with no proper HTTP: \(reason)."
    case .tooManyRedirects(let address): "\(address) redirects without an end."
    case .tooLarge(let address, let limit): "\(address) sends more than \(limit) bytes."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .storage(let file, let reason): "\(file) cannot be written: \(reason)."
    case .diskFull(let file, let needed?):
      "There is not enough free space for \(file): it needs \(needed) \(needed == 1 ? "byte" : "bytes") more."
    case .diskFull(let file, nil): "There is not enough free space for \(file)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled: nil
    case .offline: "Connect to a network; what is stored here can be used."
    case .badAddress: "Give an address that begins with https://."
    case .unknownHost: "Check the spelling, and that there is a network."
    case .unreachable, .interrupted: "Try again; check the network if it happens again."
    case .untrusted:
      "Check the address and this machine's clock. An organization's own authority goes into the "
        + "file that SSL_CERT_FILE names."
    case .timedOut: "Try again later, or on a faster network."
    case .malformed(let address, _) where address.hasPrefix("http://"):
      "Check the address: a server that encrypts wants https:// instead of http://. A proxy or a "
        + "sign-in page of the network may be in the way, too."
    case .malformed, .tooManyRedirects:
      "Check the address; a proxy or a sign-in page of the network may be in the way."
    case .tooLarge: "Ask for less at a time, or check the address."
    case .unreadable: "Check that it is there and that you may read it."
    case .storage: "Check that you may write there."
    case .diskFull: "Free some space and try again."
    }
  }
}
