internal import Foundation
internal import PortolanTransport

/// Reads forms in both encodings that clients use.
enum FormReader {
  /// The contents of a form.
  struct Form {
    var pairs: [(name: String, value: String)] = []
    var parts: [DemoPart] = []
  }

  /// The form in `body`; empty if the body is none.
  static func form(headers: HTTPHeaders, body: Data) -> Form {
    let type = headers["Content-Type"] ?? ""
    switch type.split(separator: ";").first?.lowercased() {
    case "application/x-www-form-urlencoded":
      return Form(pairs: pairs(String(decoding: body, as: UTF8.self)[...]))
    case "multipart/form-data":
      guard let boundary = parameter("boundary", of: type) else { return Form() }
      return MultipartReader(boundary: boundary).form(body)
    default:
      return Form()
    }
  }

  /// The names and values of `a=1&b=2`.
  static func pairs(_ text: Substring) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (decoded(halves[0]), halves.count > 1 ? decoded(halves[1]) : "")
    }
  }

  /// A segment of a path; what is no proper encoding stays as it is.
  static func decodedSegment(_ text: Substring) -> String {
    text.removingPercentEncoding ?? String(text)
  }

  /// The parameter `name` of a header such as `form-data; name="file"`.
  static func parameter(_ name: String, of header: String) -> String? {
    for part in header.split(separator: ";").dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].trimmedOfBlanks.lowercased() == name else { continue }
      return halves[1].trimmedOfBlanks.trimmingCharacters(in: ["\""])
    }
    return nil
  }

  private static func decoded(_ text: Substring) -> String {
    let spaced = String(text.map { $0 == "+" ? " " : $0 })
    return spaced.removingPercentEncoding ?? spaced
  }
}
