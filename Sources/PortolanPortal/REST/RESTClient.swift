public import Foundation
public import PortolanJSON
internal import PortolanLocks
public import PortolanTransport

/// Sends requests to portals and services, and turns all the ways in which they refuse into one
/// kind of error.
///
/// A client belongs to no portal; which credentials go where is the authenticator's to say. Reads
/// are lax, requests are strict.
public struct RESTClient: Sendable {
  let transport: any HTTPTransport
  let authenticator: any RequestAuthenticator
  /// Parameters added to every request, unless the request has others of the same name.
  private(set) var customParameters: RESTParameters = [:]
  /// Keeps the documents of services; none if `nil`.
  private var documents: (any DocumentCache)?
  /// The time to wait for services of which something is kept.
  private var patience: FallbackTimeout

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - transport: What sends requests.
  ///   - authenticator: Which credentials go where.
  ///   - clock: Measures how long services are waited for of which something is kept.
  public init(
    transport: any HTTPTransport, authenticator: any RequestAuthenticator,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.transport = transport
    self.authenticator = authenticator
    patience = FallbackTimeout(clock: clock)
  }

  /// The client that adds `parameters` to every request, for a service whose owner asks for them.
  public func adding(_ parameters: RESTParameters) -> RESTClient {
    var client = self
    client.customParameters = customParameters.merging(parameters)
    return client
  }

  /// The client that keeps the documents of services, and uses these where they cannot be asked,
  /// or do not answer within two seconds; what they answer later is kept.
  ///
  /// For what is shown to people only: who works on a copy must learn that a service does not answer.
  public func keeping(_ documents: any DocumentCache) -> RESTClient {
    keeping(documents, within: patience)
  }

  /// The client that uses what is kept where services do not answer within a while.
  func keeping(_ documents: any DocumentCache, within patience: FallbackTimeout) -> RESTClient {
    var client = self
    client.documents = documents
    client.patience = patience
    return client
  }

  private func request(
    _ url: URL, _ parameters: RESTParameters, _ method: RESTMethod
  ) -> HTTPRequest {
    HTTPRequest(url, customParameters.merging(parameters), method: method)
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
    return try await json(sending: request(url, format.merging(parameters), method))
  }

  /// Posts what need not arrive: once, and without waiting longer for the answer than `limit`.
  func post(_ url: URL, within limit: Duration) async throws(PortalError) -> JSONValue {
    var form = request(url, ["f": "json"], .post)
    form.timeouts.total = limit
    form.repetition = .never
    return try await json(sending: form)
  }

  /// Sends `request` and reads its answer as a JSON document.
  ///
  /// - Parameter request: What to send, without credentials; for bodies that are no form.
  /// - Returns: The document, which is no error envelope.
  /// - Throws: ``PortalError``, as ``json(_:_:method:)``.
  @concurrent public func json(sending request: HTTPRequest) async throws(PortalError) -> JSONValue
  {
    let response = try await send(request, expecting: .json)
    do { return try response.json() } catch {
      throw PortalError(response, from: request.address, error)
    }
  }

  /// Asks for a document that is to be parsed elsewhere; every form of refusal is thrown.
  ///
  /// It only asks, so that it may be sent again, in a form as well.
  @concurrent func body(
    _ url: URL, _ parameters: RESTParameters, method: RESTMethod = .automatic
  ) async throws(PortalError) -> HTTPResponse {
    var request = request(url, parameters, method)
    request.repetition = .always
    return try await send(request, expecting: .json)
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
    try await send(request(url, parameters, method), expecting: .bytes, limit: limit)
  }

  /// Sends `request`, or answers with what is kept of it where the server cannot be asked.
  private func send(
    _ request: HTTPRequest, expecting kind: RESTAnswer.Kind, limit: Int = 256 << 20
  ) async throws(PortalError) -> HTTPResponse {
    guard let documents, let address = request.descriptionAddress else {
      return try await ask(request, expecting: kind, limit: limit)
    }
    let (client, isHeard) = (self, Locked(false))
    let result = await patience.value { () -> Result<HTTPResponse, PortalError> in
      do throws(PortalError) {
        let answer = try await client.ask(request, expecting: kind, limit: limit) {
          isHeard.withLock { $0 = true }
        }
        await Self.keep(answer, in: documents, for: address)
        return .success(answer)
      } catch {
        return .failure(error)
      }
    } instead: {
      // A server that wants to know who asks is not silent: people need longer for that.
      guard !isHeard.withLock({ $0 }) else { return nil }
      return await Self.kept(in: documents, for: address, request).map { .success($0) }
    }
    guard let result else { throw .cancelled }
    do throws(PortalError) { return try result.get() } catch {
      guard error.isWithoutAnswer,
        let kept = await Self.kept(in: documents, for: address, request)
      else { throw error }
      return kept
    }
  }

  private static func keep(
    _ answer: HTTPResponse, in documents: any DocumentCache, for address: String
  ) async {
    guard answer.body.count <= HTTPRequest.largestDescription else { return }
    await documents.keep(
      CachedDocument(body: answer.body, contentType: answer.head.headers["Content-Type"]),
      for: address)
  }

  /// The stored answer of an address; `nil` if there is none.
  private static func kept(
    in documents: any DocumentCache, for address: String, _ request: HTTPRequest
  ) async -> HTTPResponse? {
    guard let kept = await documents.document(for: address) else { return nil }
    var head = HTTPResponseHead(status: 200, url: request.url)
    head.headers["Content-Type"] = kept.contentType
    return HTTPResponse(head: head, body: kept.body)
  }

  /// Sends `request` with credentials, and again with others if the server refuses those.
  ///
  /// `isHeard` is called once the server has answered anything.
  private func ask(
    _ request: HTTPRequest, expecting kind: RESTAnswer.Kind, limit: Int,
    isHeard: @Sendable () -> Void = {}
  ) async throws(PortalError) -> HTTPResponse {
    var sent = try await authenticator.authorize(request)
    var answer = RESTAnswer(try await transfer(sent, limit), to: sent, expecting: kind)
    isHeard()
    var retries = CredentialRetries()
    while let refusal = answer.challenge, retries.allow(after: sent, refusedFor: refusal) {
      let challenge = ArcGISAuthenticationChallenge(request: sent, kind: refusal)
      guard let other = try await authenticator.respond(to: challenge),
        retries.take(other, after: sent)
      else { break }
      sent = other
      answer = RESTAnswer(try await transfer(sent, limit), to: sent, expecting: kind)
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
