internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

/// An answer, judged: the body as asked for, or the failure that it tells.
struct RESTAnswer {
  /// What the body is to be.
  enum Kind {
    /// A JSON document.
    case json
    /// Bytes of any kind; JSON among them may be data, so only a clear envelope counts as one.
    case bytes
  }

  private let whole: HTTPResponse
  private let request: HTTPRequest
  private let envelope: ErrorEnvelope?

  init(_ response: HTTPResponse, to request: HTTPRequest, expecting kind: Kind) {
    whole = response
    self.request = request
    envelope = Self.envelope(in: response, expecting: kind)
  }

  /// What the server says about the token, if it refused for that.
  var challenge: ArcGISAuthenticationChallenge.Kind? {
    if let envelope { return envelope.challenge }
    return whole.status == 401 ? .tokenRequired : nil
  }

  /// The answer, if it is one.
  func response() throws(PortalError) -> HTTPResponse {
    let host = request.url.host() ?? "?"
    if challenge != nil { throw .signInNeeded(host: host) }
    if whole.status == 429 { throw .rateLimited(host: host, retryAfter: whole.retryAfter) }
    if let envelope { throw error(for: envelope) }
    guard !(200..<300).contains(whole.status) else { return whole }
    throw error(for: ErrorEnvelope(code: whole.status, message: "HTTP status \(whole.status)"))
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
    guard let body = try? JSONValue(parsing: response.body) else { return nil }
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

  /// How long the server asks to be left alone, if it says so in seconds.
  fileprivate var retryAfter: Duration? {
    guard let seconds = headers["Retry-After"].flatMap({ Int($0) }), seconds >= 0 else {
      return nil
    }
    return .seconds(min(seconds, 86_400))
  }
}
