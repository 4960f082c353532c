internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// A checked response: the body as requested, or the failure that it reports.
struct RESTAnswer {
  /// The expected kind of the body.
  enum Kind {
    /// A JSON document.
    case json
    /// Bytes of any kind; JSON among them may be data, so only a clear envelope counts as one.
    case bytes
  }

  private let whole: HTTPResponse
  /// The request as it was sent, with its credentials.
  private let request: HTTPRequest
  private let envelope: ErrorEnvelope?

  init(_ response: HTTPResponse, to request: HTTPRequest, expecting kind: Kind) {
    whole = response
    self.request = request
    // Servers quote what they were sent, and messages are printed.
    envelope = Self.envelope(in: response, expecting: kind)?.hiding(request.secrets)
  }

  /// The authentication challenge, if the server refused the request for its token.
  var challenge: ArcGISAuthenticationChallenge.Kind? {
    if let envelope { return envelope.challenge ?? refusalOfStranger(envelope) }
    return whole.status == 401 ? .tokenRequired : nil
  }

  /// The challenge in the refusal of an item without a sign-in: it may be the user's own.
  private func refusalOfStranger(
    _ envelope: ErrorEnvelope
  ) -> ArcGISAuthenticationChallenge.Kind? {
    let isPrivate = envelope.code == 403 && envelope.messageCode == "GWM_0003"
    return isPrivate && request.token == nil ? .tokenRequired : nil
  }

  /// The description of a body that is not of the kind requested.
  func unexpectedBody(reason: String) -> UnexpectedBody {
    UnexpectedBody(of: whole, reason: reason, hiding: request.secrets)
  }

  /// The response, if it is one.
  func response() throws(PortalError) -> HTTPResponse {
    let host = request.url.shownHost ?? "?"
    if challenge != nil { throw .signInNeeded(host: host) }
    // Services that limit requests may say so in an envelope alone.
    if whole.status == 429 || envelope?.code == 429 {
      throw .rateLimited(host: host, retryAfter: whole.head.retryAfter(now: nil))
    }
    guard envelope != nil || !(200..<300).contains(whole.status) else { return whole }
    var failure =
      envelope ?? ErrorEnvelope(code: whole.status, message: "HTTP status \(whole.status)")
    if whole.status == 503 { failure.retryAfter = whole.head.retryAfter(now: nil) }
    throw error(for: failure)
  }

  private func error(for envelope: ErrorEnvelope) -> PortalError {
    if envelope.isNotPermitted { return .notPermitted(request.address, envelope) }
    if envelope.isNotFound { return .notFound(request.address, envelope) }
    return .server(request.address, envelope)
  }

  private static func envelope(in response: HTTPResponse, expecting kind: Kind) -> ErrorEnvelope? {
    // Envelopes are short; larger documents need not be read twice.
    guard response.body.count <= 1 << 16, response.startsLikeAnObject else { return nil }
    // A body that is no JSON is no envelope; who reads it says what it is.
    guard let body = try? response.json() else { return nil }
    if kind == .bytes, response.status < 400 {
      guard let error = body["error"], error["code"] != nil || error["message"] != nil else {
        return nil
      }
    }
    return ErrorEnvelope(recognizing: body)
  }
}

extension HTTPResponse {
  fileprivate var startsLikeAnObject: Bool {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    return body.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }
}
