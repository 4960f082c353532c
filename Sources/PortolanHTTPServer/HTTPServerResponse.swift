public import Foundation
public import PortolanTransport

/// A response.
public struct HTTPServerResponse: Sendable {
  /// The body after the headers.
  public enum Body: Sendable {
    /// Bytes that are here.
    case bytes(Data)
    /// A part of a file, which the system copies to the connection.
    case file(URL, offset: Int, length: Int)
    /// A stream that is read while it is sent, with its length in bytes; `nil` for one that is
    /// known only at its end.
    case stream(any HTTPServerBody, length: Int?)
  }

  /// The status code.
  public var status: Int
  /// The headers; the length of the body is added, unless those of status 304 have that of what has not changed.
  public var headers: HTTPHeaders
  /// The body.
  public var body: Body

  /// Creates a response.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
