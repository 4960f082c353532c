public import Foundation
public import PortolanTransport

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
