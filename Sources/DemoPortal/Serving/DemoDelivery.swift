internal import Foundation
internal import PortolanTransport

/// An answer as it goes over the wire: the bytes of its body that were requested.
struct DemoDelivery: Sendable {
  var status: Int
  var headers: HTTPHeaders
  var body: DemoResponse.Body

  /// The bytes of `body` that are sent; empty for `HEAD`.
  var range: Range<Int>

  /// The number that `Content-Length` says.
  var length: Int

  /// The mishaps on its way.
  let mishaps: DemoMishaps

  /// Prepares `response` for `request`: `Range`, `If-Range`, `If-None-Match` and `HEAD`.
  init(
    _ response: DemoResponse, to request: DemoRequest, mishaps: DemoMishaps = DemoMishaps()
  ) {
    self.init(
      response, method: request.method, asked: request.headers, mishaps: mishaps)
  }

  /// The same for a request of which only method and headers are known.
  init(
    _ response: DemoResponse, method: HTTPRequest.Method, asked: HTTPHeaders = [:],
    mishaps: DemoMishaps = DemoMishaps()
  ) {
    let total = response.body.count
    self.mishaps = mishaps
    status = response.status
    headers = response.headers
    body = response.body
    range = 0..<total
    length = total
    if response.status == 200, response.hasRanges {
      headers["Accept-Ranges"] = "bytes"
      select(asked, of: total)
    }
    length = max(range.count + mishaps.lengthOffset, 0)
    if status == 304 { body = .bytes(Data()) }
    if method == .head || status == 304 { range = 0..<0 }
  }

  private mutating func select(_ asked: HTTPHeaders, of total: Int) {
    if let known = asked["If-None-Match"], known == headers["ETag"] {
      status = 304
      range = 0..<0
      return
    }
    guard let wanted = asked["Range"], isCurrent(asked["If-Range"]),
      let wanted = ByteRange(wanted)
    else { return }
    guard let found = wanted.resolved(in: total) else {
      status = 416
      headers["Content-Range"] = "bytes */\(total)"
      body = .bytes(Data())
      range = 0..<0
      return
    }
    status = 206
    range = found
    headers["Content-Range"] = "bytes \(found.lowerBound)-\(found.upperBound - 1)/\(total)"
  }

  private func isCurrent(_ validator: String?) -> Bool {
    validator == nil || validator == headers["ETag"]
  }
}

extension DemoResponse.Body {
  /// The number of bytes; a missing file has none.
  var count: Int {
    switch self {
    case .bytes(let data): return data.count
    case .file(let url):
      let path = url.path(percentEncoded: false)
      // A file that cannot be looked at is sent as an empty one; its reader then finds it short.
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
  }
}

/// One range of a `Range` header; several of them are answered with everything.
struct ByteRange: Hashable, Sendable {
  private let first: Int?
  private let last: Int?

  /// Reads `bytes=0-99`, `bytes=100-` or `bytes=-100`.
  init?(_ header: String) {
    let halves = header.split(separator: "=", maxSplits: 1)
    guard halves.count == 2, halves[0].trimmedOfBlanks.lowercased() == "bytes",
      !halves[1].contains(",")
    else { return nil }
    let ends = halves[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    first = Int(ends[0].trimmedOfBlanks)
    last = Int(ends[1].trimmedOfBlanks)
    if first == nil && last == nil { return nil }
    if let first, let last, first > last { return nil }
    if (first ?? 0) < 0 || (last ?? 0) < 0 { return nil }
  }

  /// The bytes meant in a body of `total`, or `nil` if there are none.
  func resolved(in total: Int) -> Range<Int>? {
    guard let first else {
      guard let last, last > 0, total > 0 else { return nil }
      return max(total - last, 0)..<total
    }
    guard first < total else { return nil }
    return first..<(last.map { min($0, total - 1) + 1 } ?? total)
  }
}
