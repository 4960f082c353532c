internal import Foundation
internal import PortolanTransport

/// Makes the head of an answer of its lines.
struct ResponseHeadReader {
  private let limit: Int
  private let request: HTTPRequest
  private var byteCount = 0
  private var status: Int?
  private var fields: [HTTPHeaders.Field] = []

  /// Creates a reader that takes at most `limit` bytes.
  init(for request: HTTPRequest, limit: Int) {
    self.request = request
    self.limit = limit
  }

  /// Takes the next line, its end included.
  ///
  /// - Returns: The head, when the line was its last; not for an interim answer such as
  ///   `100 Continue`, after which the real one follows.
  /// - Throws: ``TransportError/malformed(_:reason:)``.
  mutating func add(_ line: UnsafeRawBufferPointer) throws(TransportError) -> HTTPResponseHead? {
    byteCount += line.count
    guard byteCount <= limit else {
      throw .malformed(request.address, reason: "its headers have more than \(limit) bytes")
    }
    let text = unsafe String(decoding: line, as: UTF8.self)
    let content = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.hasPrefix("HTTP/") {
      status = content.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      fields = []
    } else if content.isEmpty {
      return try head()
    } else if text.first == " " || text.first == "\t" {
      continueField(content)
    } else if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      fields.append(HTTPHeaders.Field(name: String(text[..<colon]), value: value))
    }
    return nil
  }

  private func head() throws(TransportError) -> HTTPResponseHead? {
    guard let status, 100..<1000 ~= status else {
      throw .malformed(request.address, reason: "it has no status")
    }
    guard status >= 200 else { return nil }
    return HTTPResponseHead(status: status, headers: HTTPHeaders(fields), url: request.url)
  }

  /// A field may go on in the next line (RFC 9112, 5.2: forbidden, but met).
  private mutating func continueField(_ content: String) {
    guard let last = fields.popLast() else { return }
    fields.append(HTTPHeaders.Field(name: last.name, value: last.value + " " + content))
  }
}
