public import Foundation

/// Why OpenSSL could not do what was asked.
public enum CryptoError: Error, Hashable, Sendable {
  /// The library refused to work, if there is not enough memory, or because a policy forbids the algorithm.
  case unavailable(operation: String)
  /// A certificate cannot be made for what is no host name and no address.
  case badHost(String)
}

extension CryptoError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unavailable(let operation): "OpenSSL could not do: \(operation)."
    case .badHost(let host): "\"\(host)\" is neither a host name nor an address."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unavailable:
      "Check that memory is free and that OpenSSL's configuration allows SHA-256 and P-256."
    case .badHost: "Use a name such as localhost or an address such as 127.0.0.1."
    }
  }
}
