internal import PortolanTransport

/// Assembles the head of a response from its lines.
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
  /// - Returns: The head, when the line was its last; not for an interim response such as
  ///   `100 Continue`, after which the real one follows.
  /// - Throws: ``TransportError/malformed(_:reason:)``.
  mutating func add(_ line: UnsafeRawBufferPointer) throws(TransportError) -> HTTPResponseHead? {
    byteCount += line.count
    guard byteCount <= limit else {
      throw .malformed(request.address, reason: "its headers have more than \(limit) bytes")
    }
    // By bytes: there are a dozen lines in each response, and small responses cost little besides.
    let content = unsafe Self.trimmed(line[...])
    if unsafe line.starts(with: Self.protocolName) {
      let words = unsafe content.split(separator: UInt8(ascii: " "))
      status = unsafe words.dropFirst().first.flatMap { unsafe Int(Self.text($0)) }
      fields = []
    } else if unsafe content.isEmpty {
      return try head()
    } else if unsafe line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
      unsafe continueField(Self.text(content))
    } else if let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) {
      let value = unsafe Self.trimmed(line[(colon + 1)...])
      unsafe fields.append(
        HTTPHeaders.Field(name: Self.text(line[..<colon]), value: Self.text(value)))
    }
    return nil
  }

  private static let protocolName = Array("HTTP/".utf8)

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// The bytes without the white space around them (RFC 9110, 5.6.3), and without the line's end.
  private static func trimmed(
    _ bytes: Slice<UnsafeRawBufferPointer>
  ) -> Slice<UnsafeRawBufferPointer> {
    var rest = unsafe bytes
    while let first = unsafe rest.first, isBlank(first) { unsafe rest = rest.dropFirst() }
    while let last = unsafe rest.last, isBlank(last) { unsafe rest = rest.dropLast() }
    return unsafe rest
  }

  /// Whether a byte is a space, or a tab or an end of line.
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  private func head() throws(TransportError) -> HTTPResponseHead? {
    guard let status, 100..<1000 ~= status else {
      throw .malformed(request.address, reason: "it has no status")
    }
    guard status >= 200 else { return nil }
    return HTTPResponseHead(status: status, headers: HTTPHeaders(fields), url: request.url)
  }

  /// A field may continue in the next line (RFC 9112, 5.2: forbidden, but met).
  private mutating func continueField(_ content: String) {
    guard let last = fields.popLast() else { return }
    fields.append(HTTPHeaders.Field(name: last.name, value: last.value + " " + content))
  }
}
