public import Foundation

/// An HTTP request, independent of what sends it.
public struct HTTPRequest: Hashable, Sendable {
  /// What is asked of the resource.
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// What is sent with the request.
  public enum Body: Hashable, Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A file, read while it is sent.
    case file(URL)
  }

  /// What is asked of the resource.
  public var method: Method

  /// The absolute address, `http` or `https`.
  public var url: URL

  /// Header fields beside those that every request has.
  ///
  /// `Authorization`, `X-Esri-Authorization` and `Cookie` go to no other host than that of `url`,
  /// wherever the request is redirected to; the same holds for a `token` in the query.
  public var headers: HTTPHeaders

  /// What is sent with it, if anything.
  public var body: Body?

  /// How long to wait for what.
  public var timeouts: HTTPTimeouts

  /// Creates a request, a `GET` without headers or body unless told otherwise.
  public init(
    _ url: URL, method: Method = .get, headers: HTTPHeaders = [:], body: Body? = nil,
    timeouts: HTTPTimeouts = .standard
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
  }
}
