public import PortolanTransport

/// Gives requests the credentials they need.
public protocol RequestAuthenticator: Sendable {
  /// `request` with the credentials that are valid for its address, if there are any.
  ///
  /// A portal's token never goes to a host that is neither the portal nor one of its servers.
  func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest

  /// The request to send in place of one that the server has refused.
  ///
  /// - Parameter challenge: The request as it was sent, and what the server wants.
  /// - Returns: The request to send, with other credentials or without any; `nil` if there is
  ///   nothing to try, and the refusal stands.
  /// - Throws: ``PortalError`` where asking for credentials failed or was cancelled.
  func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest?
}

/// Sends every request as it is.
public struct AnonymousAuthenticator: RequestAuthenticator {
  /// Creates the authenticator.
  public init() {}

  public func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest { request }

  public func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? { nil }
}
