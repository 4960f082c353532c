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
    var contents: Data
  }

  /// What ends a part; long enough not to occur in files.
  private static let boundary = "portolan-4f1c2e9a7b3d48569f0e6a1d2c3b4a59"

  var parameters: RESTParameters = [:]
  var file: File

  /// The request that sends the form.
  func request(
    to url: URL, timeouts: HTTPTimeouts = .standard,
    repetition: HTTPRequest.Repetition = .ifIdempotent
  ) -> HTTPRequest {
    HTTPRequest(
      url, method: .post,
      headers: ["Content-Type": "multipart/form-data; boundary=\(Self.boundary)"],
      body: .bytes(body), timeouts: timeouts, repetition: repetition)
  }

  private var body: Data {
    var body = Data(capacity: file.contents.count + 1024)
    for parameter in parameters.all {
      body += "--\(Self.boundary)\r\n".utf8
      body += "Content-Disposition: form-data; name=\"\(parameter.name)\"\r\n\r\n".utf8
      body += "\(parameter.value)\r\n".utf8
    }
    body += "--\(Self.boundary)\r\n".utf8
    body += "Content-Disposition: form-data; name=\"\(file.field)\"; ".utf8
    body += "filename=\"\(Self.escaped(file.name))\"\r\n".utf8
    body += "Content-Type: \(file.type)\r\n\r\n".utf8
    body += file.contents
    body += "\r\n--\(Self.boundary)--\r\n".utf8
    return body
  }

  /// A name that cannot end its line or its quotes, escaped as browsers do.
  private static func escaped(_ name: String) -> String {
    name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
