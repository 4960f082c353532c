public import Foundation
public import PortolanTransport

/// Answers the requests of a server; called on any thread, several at a time.
public protocol HTTPServerHandling: Sendable {
  /// Answers a request.
  ///
  /// - Returns: The answer, or `nil` to drop the connection without one.
  func respond(to request: HTTPServerRequest) async -> HTTPServerResponse?

  /// What is said to a request that is refused before it is read: 413 for a body that is too long.
  func refusal(status: Int) -> HTTPServerResponse

  /// Looks at a request whose body has not been read yet, and is not in it.
  ///
  /// - Returns: The answer to a request whose body is not worth reading, else `nil`.
  func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse?
}

extension HTTPServerHandling {
  public func refusal(beforeBodyOf request: HTTPServerRequest) -> HTTPServerResponse? { nil }
}

/// A request that has arrived.
public struct HTTPServerRequest: Hashable, Sendable {
  /// The method as it came.
  public var method: String
  /// The path and the query as they came, still encoded.
  public var target: String
  /// The headers.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Data

  /// Creates a request.
  public init(method: String, target: String, headers: HTTPHeaders = [:], body: Data = Data()) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }
}

/// An answer.
public struct HTTPServerResponse: Sendable {
  /// What is sent after the headers.
  public enum Body: Sendable {
    /// Bytes that are here.
    case bytes(Data)
    /// A part of a file, which the system copies to the connection.
    case file(URL, offset: Int, length: Int)
    /// What is read while it is sent, with its length in bytes; `nil` for one that only its end tells.
    case stream(any HTTPServerBody, length: Int?)
  }

  /// The status code.
  public var status: Int
  /// The headers; the length of the body is added.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body

  /// Creates an answer.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// A body that is read as fast as the client takes it, on the threads of the server.
public protocol HTTPServerBody: Sendable {
  /// What is sent next.
  ///
  /// - Parameters:
  ///   - position: How many bytes have been sent.
  ///   - limit: The most bytes that can be taken now.
  /// - Returns: Bytes, or what to wait for, or that this is all.
  func next(at position: Int, limit: Int) -> HTTPServerBodyStep
}

/// What a body that is read has to send next.
public enum HTTPServerBodyStep: Sendable {
  /// These bytes, no more than the limit and at least one.
  case bytes(Data)
  /// Nothing until the closure returns; its task is cancelled when the server stops.
  case wait(@Sendable () async -> Void)
  /// It is complete.
  case end
  /// It breaks off, and the connection with it.
  case cut
}
