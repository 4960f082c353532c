internal import Foundation

/// Takes a `multipart/form-data` body apart (RFC 7578).
struct MultipartReader {
  /// The most parts that are read; what follows them is left out.
  static let maximumParts = 1000

  private let delimiter: Data

  init(boundary: String) { delimiter = Data("--\(boundary)".utf8) }

  /// The fields and files of `body`, those before the first fault.
  func form(_ body: Data) -> FormReader.Form {
    var form = FormReader.Form()
    var position = body.range(of: delimiter)?.upperBound
    while let start = position, form.pairs.count + form.parts.count < Self.maximumParts {
      guard let next = body.range(of: delimiter, in: start..<body.endIndex) else { break }
      read(body[start..<next.lowerBound], into: &form)
      position = next.upperBound
    }
    return form
  }

  /// One part: CRLF, headers, an empty line, the content, CRLF.
  private func read(_ part: Data, into form: inout FormReader.Form) {
    guard let blank = part.range(of: Data("\r\n\r\n".utf8)) else { return }
    let headers = headers(part[part.startIndex..<blank.lowerBound])
    guard let disposition = headers["content-disposition"],
      let name = FormReader.parameter("name", of: disposition)
    else { return }
    var content = part[blank.upperBound...]
    if content.suffix(2) == Data("\r\n".utf8) { content = content.dropLast(2) }
    guard let fileName = FormReader.parameter("filename", of: disposition) else {
      form.pairs.append((name, String(decoding: content, as: UTF8.self)))
      return
    }
    form.parts.append(
      DemoPart(
        name: name, fileName: fileName, contentType: headers["content-type"], body: Data(content)))
  }

  private func headers(_ text: Data) -> [String: String] {
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n")
    let fields = lines.compactMap { line -> (String, String)? in
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { return nil }
      return (halves[0].lowercased(), halves[1].trimmedOfBlanks)
    }
    return Dictionary(fields, uniquingKeysWith: { first, _ in first })
  }
}
