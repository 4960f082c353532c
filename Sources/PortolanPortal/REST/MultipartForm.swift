internal import Foundation
internal import PortolanTransport

/// A form with a file in it, as `multipart/form-data`.
///
/// - SeeAlso: [RFC 7578](https://www.rfc-editor.org/rfc/rfc7578)
struct MultipartForm {
  /// A file of the form.
  struct File {
    var field: String
    var name: String
    var type = "application/octet-stream"
    /// The contents; empty where those of a file of this device are written.
    var contents = Data()
  }

  /// The boundary between parts; long enough not to occur in files.
  private static let boundary = "portolan-4f1c2e9a7b3d48569f0e6a1d2c3b4a59"

  /// The size of the pieces in which a file is written, in bytes.
  private static let pieceSize = 1 << 20

  var parameters: RESTParameters = [:]
  var file: File

  /// The request that sends the form, which is in memory unless it was written to a file.
  func request(
    to url: URL, writtenTo written: URL? = nil, timeouts: HTTPTimeouts = .standard,
    repetition: HTTPRequest.Repetition = .ifIdempotent
  ) -> HTTPRequest {
    HTTPRequest(
      url, method: .post,
      headers: ["Content-Type": "multipart/form-data; boundary=\(Self.boundary)"],
      body: written.map { .file($0) } ?? .bytes(head + file.contents + Self.tail),
      timeouts: timeouts, repetition: repetition)
  }

  /// Writes the form with the contents of a file, a piece at a time.
  func write(contentsOf source: URL, to target: URL) throws {
    try Data().write(to: target)
    let reader = try FileHandle(forReadingFrom: source)
    let writer = try FileHandle(forWritingTo: target)
    try writer.write(contentsOf: head)
    while let piece = try reader.read(upToCount: Self.pieceSize), !piece.isEmpty {
      try writer.write(contentsOf: piece)
    }
    try writer.write(contentsOf: Self.tail)
    try writer.close()
    try reader.close()
  }

  private static let tail = Data("\r\n--\(MultipartForm.boundary)--\r\n".utf8)

  private var head: Data {
    var body = Data()
    for parameter in parameters.all {
      body += "--\(Self.boundary)\r\n".utf8
      body += "Content-Disposition: form-data; name=\"\(parameter.name)\"\r\n\r\n".utf8
      body += "\(parameter.value)\r\n".utf8
    }
    body += "--\(Self.boundary)\r\n".utf8
    body += "Content-Disposition: form-data; name=\"\(file.field)\"; ".utf8
    body += "filename=\"\(Self.escaped(file.name))\"\r\n".utf8
    body += "Content-Type: \(file.type)\r\n\r\n".utf8
    return body
  }

  /// A name that cannot end its line or its quotes, escaped as browsers do.
  private static func escaped(_ name: String) -> String {
    name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
