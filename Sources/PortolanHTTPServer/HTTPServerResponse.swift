public import Foundation
public import PortolanTransport

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
