import PortolanPortal
import PortolanTransport
import Synchronization

/// Sends the token that it holds along, and has no other.
final class TokenHolder: RequestAuthenticator {
  private let token = Mutex<String?>(nil)

  func hold(_ value: String?) { token.withLock { $0 = value } }

  func authorize(_ request: HTTPRequest) async throws(PortalError) -> HTTPRequest {
    guard let token = token.withLock({ $0 }) else { return request }
    var request = request
    request.headers["X-Esri-Authorization"] = "Bearer \(token)"
    return request
  }

  func respond(
    to challenge: ArcGISAuthenticationChallenge
  ) async throws(PortalError) -> HTTPRequest? { nil }
}
