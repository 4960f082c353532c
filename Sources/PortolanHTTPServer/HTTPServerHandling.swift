/// Answers the requests of a server; called on any thread, several at a time.
public protocol HTTPServerHandling: Sendable {
  /// Answers a request.
  ///
  /// - Returns: The response, or `nil` to drop the connection without one.
  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse?

  /// The response to a request that is refused before it is read: 413 for a body that is too long.
  func refusal(status: Int) -> HTTPServerResponse

  /// Looks at a request whose body has not been read yet, and is not in it.
  ///
  /// - Returns: The response to a request whose body is not worth reading, else `nil`.
  func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse?
}

extension HTTPServerHandling {
  public func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse? { nil }
}
