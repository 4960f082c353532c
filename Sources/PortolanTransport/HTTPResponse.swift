public import Foundation

/// A response without its body: its status and its headers.
public struct HTTPResponseHead: Hashable, Sendable {
  /// The status code, for example 200.
  public var status: Int

  /// The header fields.
  public var headers: HTTPHeaders

  /// The address that answered, after redirects.
  public var url: URL

  /// Creates a head.
  public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
    self.status = status
    self.headers = headers
    self.url = url
  }

  /// The number of bytes in the body as the server has announced it, in the form it travels in.
  public var contentLength: Int? {
    headers["Content-Length"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The media type without its parameters, in lower case, for example `application/json`.
  public var contentType: String? {
    headers["Content-Type"]?.split(separator: ";").first.map {
      $0.trimmingCharacters(in: .whitespaces).lowercased()
    }
  }
}

/// A complete response held in memory.
public struct HTTPResponse: Hashable, Sendable {
  /// Its status and headers.
  public var head: HTTPResponseHead

  /// The whole body, decompressed if it had a content coding.
  public var body: Data

  /// Creates a response.
  public init(head: HTTPResponseHead, body: Data = Data()) {
    self.head = head
    self.body = body
  }

  /// The status code, for example 200.
  public var status: Int { head.status }

  /// The header fields.
  public var headers: HTTPHeaders { head.headers }
}
