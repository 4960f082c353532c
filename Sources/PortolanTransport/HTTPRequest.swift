public import Foundation

/// An HTTP request, independent of what sends it.
public struct HTTPRequest: Hashable, Sendable {
  /// The method of a request.
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// The body of a request.
  public enum Body: Hashable, Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A file, read while it is sent.
    case file(URL)
  }

  /// Whether a request may be repeated when it is unknown whether it was carried out.
  public enum Repetition: Hashable, Sendable {
    /// Never.
    case never
    /// If its method promises that twice does the same as once: all but `POST`.
    case ifIdempotent
    /// Always; right for a `POST` that only reads, such as a query too long for an address.
    case always
  }

  /// The method of a request.
  public var method: Method

  /// The absolute address, `http` or `https`.
  public var url: URL

  /// Header fields beside those that every request has.
  ///
  /// Those that may be keys, which is all but what says who asks and for what (`Accept`, `Range`,
  /// `User-Agent` and the like), go to no other host than that of `url`, wherever the request is redirected
  /// to; the same holds for a `token` in the query.
  public var headers: HTTPHeaders

  /// The body, if there is one.
  public var body: Body?

  /// How long to wait for what.
  public var timeouts: HTTPTimeouts

  /// Whether it may go out again after a failure that passes.
  public var repetition: Repetition

  /// Creates a request, a `GET` without headers or body by default.
  public init(
    _ url: URL, method: Method = .get, headers: HTTPHeaders = [:], body: Body? = nil,
    timeouts: HTTPTimeouts = .standard, repetition: Repetition = .ifIdempotent
  ) {
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.repetition = repetition
  }
}

extension HTTPRequest {
  /// Whether it may go out again after a failure that passes.
  public var isRepeatable: Bool {
    switch repetition {
    case .never: false
    case .ifIdempotent: method != .post
    case .always: true
    }
  }
}
