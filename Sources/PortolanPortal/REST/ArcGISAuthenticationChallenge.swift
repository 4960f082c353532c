public import Foundation
public import PortolanTransport

/// A request that a server has refused without a valid token.
public struct ArcGISAuthenticationChallenge: Sendable {
  /// The reason of the challenge.
  public enum Kind: Hashable, Sendable {
    /// There was none, and one is needed: code 499, "Token Required", or HTTP 401.
    case tokenRequired
    /// It is invalid or has expired: code 498, "Invalid token."
    case tokenInvalid
  }

  /// The request as it was sent, with the credentials that did not do.
  public let request: HTTPRequest

  /// The reason of the challenge.
  public let kind: Kind

  /// Creates a challenge.
  public init(request: HTTPRequest, kind: Kind) {
    self.request = request
    self.kind = kind
  }

  /// The address that was refused; its query may hold a token.
  public var url: URL { request.url }
}
