internal import PortolanTransport

/// The limits on repeating a refused request.
///
/// Twice with other credentials: a renewed token, and one from a prompt; and once with
/// the same token in another place.
struct CredentialRetries {
  private var credentials = 2
  private var places = 1

  /// Whether there is anything left to try, so that no prompt is in vain.
  func allow(
    after request: HTTPRequest, refusedFor kind: ArcGISAuthenticationChallenge.Kind
  ) -> Bool {
    let isInHeader = kind == .tokenRequired && request.tokenPlace == .header
    return credentials > 0 || (places > 0 && isInHeader)
  }

  /// Whether `next` may be sent instead of a refused request; counts it.
  mutating func take(_ next: HTTPRequest, after request: HTTPRequest) -> Bool {
    if next.token == request.token, next.tokenPlace != request.tokenPlace {
      places -= 1
      return places >= 0
    }
    credentials -= 1
    return credentials >= 0
  }
}
