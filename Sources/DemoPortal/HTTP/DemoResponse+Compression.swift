internal import Foundation
internal import PortolanArchives
internal import PortolanTransport

extension DemoResponse {
  /// Shorter bodies gain nothing.
  private static let shortest = 1_400

  /// Compresses the body, if the client accepts that and it is a text long enough to be worth it.
  ///
  /// Not what is fetched in ranges, whose positions are those of the bytes as they are.
  mutating func compress(for request: DemoRequest) {
    guard case .bytes(let data) = body, data.count >= Self.shortest, !hasRanges,
      headers["Content-Encoding"] == nil, isText, request.headers.acceptsGzip,
      // A body that cannot be compressed is sent as it is.
      let compressed = try? Gzip.compress(data)
    else { return }
    body = .bytes(compressed)
    headers["Content-Encoding"] = "gzip"
    headers["Vary"] = headers["Vary"].map { "\($0), Accept-Encoding" } ?? "Accept-Encoding"
  }

  private var isText: Bool {
    let type = headers["Content-Type"]?.lowercased() ?? ""
    return type.hasPrefix("text/") || type.hasPrefix("application/json")
      || type.hasPrefix("application/x-protobuf")
  }
}
