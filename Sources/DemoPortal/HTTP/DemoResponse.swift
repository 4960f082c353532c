public import Foundation
public import PortolanJSON
public import PortolanTransport

/// The response of a handler.
public struct DemoResponse: Sendable {
  /// The body of a response.
  public enum Body: Sendable {
    /// Bytes in memory.
    case bytes(Data)
    /// A file, sent piece by piece and in ranges if asked.
    case file(URL)
  }

  /// The status code.
  public var status: Int

  /// The header fields; length and ranges are added on the way out.
  public var headers: HTTPHeaders

  /// The body of the response.
  public var body: Body

  /// Whether parts of it may be asked for with `Range`, against its `ETag`.
  public var hasRanges = false

  /// Creates an answer.
  public init(status: Int = 200, headers: HTTPHeaders = [:], body: Body = .bytes(Data())) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

extension DemoResponse {
  /// A JSON document.
  public static func json(_ value: JSONValue, status: Int = 200) -> DemoResponse {
    DemoResponse(
      status: status, headers: ["Content-Type": "application/json;charset=utf-8"],
      body: .bytes(value.encoded()))
  }

  /// A page.
  public static func html(_ text: String, status: Int = 200) -> DemoResponse {
    DemoResponse(
      status: status, headers: ["Content-Type": "text/html;charset=utf-8"],
      body: .bytes(Data(text.utf8)))
  }

  /// Bytes of a media type.
  public static func bytes(_ data: Data, type: String, status: Int = 200) -> DemoResponse {
    DemoResponse(status: status, headers: ["Content-Type": type], body: .bytes(data))
  }

  /// Another address to ask.
  public static func redirect(to address: String) -> DemoResponse {
    DemoResponse(status: 302, headers: ["Location": address])
  }

  /// A download, in ranges if asked.
  ///
  /// - Parameters:
  ///   - body: The file or its bytes.
  ///   - name: The file's name, sent as `Content-Disposition`; none sends the bytes as they are.
  ///   - type: The media type.
  ///   - tag: The validator without its quotation marks, changed whenever the bytes are.
  /// - Returns: The answer.
  public static func download(
    _ body: Body, name: String? = nil, type: String = "application/octet-stream", tag: String
  ) -> DemoResponse {
    var response = DemoResponse(headers: ["Content-Type": type, "ETag": "\"\(tag)\""], body: body)
    response.headers["Content-Disposition"] = name.map { "attachment; filename=\"\($0)\"" }
    response.hasRanges = true
    return response
  }

  /// The answer that carries `failure`.
  public static func failure(_ failure: DemoFailure) -> DemoResponse {
    json(failure.envelope, status: failure.status)
  }
}
