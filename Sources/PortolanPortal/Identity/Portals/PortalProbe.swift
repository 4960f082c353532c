internal import Foundation
internal import PortolanJSON
public import PortolanTransport

/// Finds the portal that a typed address means.
public struct PortalProbe: Sendable {
  private let client: RESTClient

  /// Creates a probe; it asks without credentials.
  public init(transport: any HTTPTransport) {
    client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
  }

  /// The first of `candidates` that answers as a portal does.
  ///
  /// - Parameter candidates: Roots, the likeliest first, all on one host.
  /// - Returns: The portal.
  /// - Throws: ``PortalError/notAPortal(_:)`` if all answer as something else, ``PortalError/server(_:_:)``
  ///   if one of them fails, which a portal may do, the transport's error if none can be asked.
  public func portal(among candidates: [PortalURL]) async throws(PortalError) -> PortalURL {
    var failure: PortalError?
    var failureOfServer: PortalError?
    var deadScheme: Bool?
    for candidate in candidates where deadScheme != candidate.usesPlainHTTP {
      do {
        if try await isPortal(candidate) { return candidate }
      } catch .transport(let error) {
        // Another path on a host that cannot be reached cannot be reached, either.
        deadScheme = candidate.usesPlainHTTP
        failure = failure ?? .transport(error)
      } catch .server(let address, let envelope) {
        failureOfServer = failureOfServer ?? .server(address, envelope)
      }
    }
    if let error = failureOfServer ?? failure { throw error }
    throw .notAPortal(candidates.first?.description ?? "")
  }

  /// Whether a portal answers at `candidate`.
  ///
  /// - Throws: ``PortalError/transport(_:)`` or ``PortalError/cancelled`` if nothing answers,
  ///   ``PortalError/server(_:_:)`` if the server failed, so that it is not known.
  private func isPortal(_ candidate: PortalURL) async throws(PortalError) -> Bool {
    var failure: PortalError?
    do {
      let info = try await answer(of: candidate.resource("info"))
      if info?["authInfo"]?.object != nil || info?["owningSystemUrl"]?.string != nil { return true }
    } catch .server(let address, let envelope) {
      failure = .server(address, envelope)
    }
    let portal = try await answer(of: candidate.resource("portals/self"))
    if portal?["isPortal"]?.bool != nil || portal?["portalName"]?.string != nil { return true }
    if let failure { throw failure }
    return false
  }

  /// The JSON at `url`, `nil` if there is none.
  ///
  /// - Throws: ``PortalError/server(_:_:)`` if the server failed, whatever was asked of it.
  private func answer(of url: URL) async throws(PortalError) -> JSONValue? {
    do {
      return try await client.json(url)
    } catch {
      switch error {
      case .transport(.tooManyRedirects), .transport(.malformed): return nil
      case .cancelled, .transport, .rateLimited: throw error
      case .server(_, let envelope) where envelope.isOfServer: throw error
      case .signInNeeded, .notPermitted, .notFound, .server, .notJSON, .unexpected, .notAPortal,
        .invalidID, .signIn, .part:
        return nil
      }
    }
  }
}
