public import Foundation
public import PortolanJSON
public import PortolanTransport

/// Asks portals and services, and makes one kind of error of all the ways in which they refuse.
///
/// A client belongs to no portal; which credentials go where is the authenticator's to say. Reads
/// are lax, requests are strict.
public struct RESTClient: Sendable {
  let transport: any HTTPTransport
  let authenticator: any RequestAuthenticator

  /// Creates a client.
  public init(transport: any HTTPTransport, authenticator: any RequestAuthenticator) {
    self.transport = transport
    self.authenticator = authenticator
  }

  /// Asks for a JSON document.
  ///
  /// - Parameters:
  ///   - url: The resource; parameters in its query are kept.
  ///   - parameters: What is asked of it; `f=json` is added.
  ///   - method: How the parameters travel.
  /// - Returns: The document, which is no error envelope.
  /// - Throws: ``PortalError`` for every form of refusal, and for a body that is no JSON.
  public func json(
    _ url: URL, _ parameters: RESTParameters = [:], method: RESTMethod = .automatic
  ) async throws(PortalError) -> JSONValue {
    let format: RESTParameters = ["f": "json"]
    let request = HTTPRequest(url, format.merging(parameters), method: method)
    return try await json(sending: request)
  }

  /// Sends `request` and reads its answer as a JSON document.
  ///
  /// - Parameter request: What to send, without credentials; for bodies that are no form.
  /// - Returns: The document, which is no error envelope.
  /// - Throws: ``PortalError``, as ``json(_:_:method:)``.
  @concurrent public func json(sending request: HTTPRequest) async throws(PortalError) -> JSONValue
  {
    let response = try await send(request, expecting: .json)
    do {
      return try JSONValue(parsing: response.body)
    } catch {
      let body = UnexpectedBody(of: response, reason: error.errorDescription ?? "")
      throw .notJSON(request.address, body)
    }
  }

  /// Asks for a document that is to be parsed elsewhere; every form of refusal is told.
  @concurrent func body(
    _ url: URL, _ parameters: RESTParameters, method: RESTMethod = .automatic
  ) async throws(PortalError) -> HTTPResponse {
    try await send(HTTPRequest(url, parameters, method: method), expecting: .json)
  }

  /// Asks for bytes: an image, a tile, an attachment, a page of features as PBF.
  ///
  /// - Parameters:
  ///   - url: The resource; parameters in its query are kept.
  ///   - parameters: What is asked of it; nothing is added.
  ///   - method: How the parameters travel.
  ///   - limit: The most bytes that the body may have.
  /// - Returns: The answer, whose body is no error envelope and whose status is a success.
  /// - Throws: ``PortalError`` for every form of refusal.
  @concurrent public func data(
    _ url: URL, _ parameters: RESTParameters = [:], method: RESTMethod = .automatic,
    limit: Int = 256 << 20
  ) async throws(PortalError) -> HTTPResponse {
    try await send(HTTPRequest(url, parameters, method: method), expecting: .bytes, limit: limit)
  }

  /// How often a refused request goes out again: with a renewed token, and after asking somebody.
  static let mostRetries = 2

  /// Sends `request` with credentials, and again with others if the server refuses those.
  private func send(
    _ request: HTTPRequest, expecting kind: RESTAnswer.Kind, limit: Int = 256 << 20
  ) async throws(PortalError) -> HTTPResponse {
    var sent = try await authenticator.authorize(request)
    var answer = RESTAnswer(try await transfer(sent, limit), to: request, expecting: kind)
    for _ in 0..<Self.mostRetries {
      guard let refusal = answer.challenge else { break }
      let challenge = ArcGISAuthenticationChallenge(request: sent, kind: refusal)
      guard let other = try await authenticator.respond(to: challenge) else { break }
      sent = other
      answer = RESTAnswer(try await transfer(sent, limit), to: request, expecting: kind)
    }
    return try answer.response()
  }

  private func transfer(
    _ request: HTTPRequest, _ limit: Int
  ) async throws(PortalError) -> HTTPResponse {
    do {
      return try await transport.send(request, limit: limit)
    } catch {
      throw PortalError(error)
    }
  }
}
