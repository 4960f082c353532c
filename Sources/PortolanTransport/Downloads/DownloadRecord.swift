internal import Foundation

/// The record of a partly downloaded file, kept beside the part.
struct DownloadRecord: Codable, Hashable, Sendable {
  /// The address, without credentials.
  var address: String
  /// The strong entity tag, quotes included.
  var entityTag: String?
  /// When the file was last changed, in the server's words.
  var lastModified: String?
  /// How many bytes it has.
  var total: Int?

  /// Takes note of a response that begins a file.
  init(_ head: HTTPResponseHead, to request: HTTPRequest) {
    address = Self.address(of: request)
    entityTag = Self.strongTag(of: head)
    lastModified = Self.strongDate(of: head)
    total = head.isEncoded ? nil : head.contentLength
    if head.isEncoded {
      // An entity tag of a compressed body says nothing about the bytes here.
      entityTag = nil
      lastModified = nil
    }
  }

  /// The value of `If-Range` for a request of the rest of the same file; `nil` if nothing
  /// identifies it.
  var validator: String? { entityTag ?? lastModified }

  /// Whether it is about what `request` asks for.
  func isAbout(_ request: HTTPRequest) -> Bool { address == Self.address(of: request) }

  /// Whether a response with the rest of a file may be about the same file.
  func agrees(with head: HTTPResponseHead) -> Bool {
    if let entityTag, let other = head.headers["ETag"] { return entityTag == other }
    if let lastModified, let other = head.headers["Last-Modified"] { return lastModified == other }
    return true
  }

  private static func address(of request: HTTPRequest) -> String {
    RequestCredentials(of: request).removed(from: HTTPRequest(request.url))?.url.absoluteString
      ?? request.address
  }

  private static func strongTag(of head: HTTPResponseHead) -> String? {
    guard let tag = head.headers["ETag"], tag.hasPrefix("\"") else { return nil }
    return tag
  }

  /// A file that changes within the second of the response could change again under the same date
  /// (RFC 9110, 8.8.2.2).
  private static func strongDate(of head: HTTPResponseHead) -> String? {
    guard let date = head.headers["Last-Modified"], date != head.headers["Date"] else { return nil }
    return date
  }
}

extension HTTPResponseHead {
  /// Whether the body has a content coding, so that lengths and offsets in it mean something else.
  var isEncoded: Bool {
    guard let encoding = headers["Content-Encoding"] else { return false }
    return !["", "identity"].contains(encoding.lowercased())
  }
}
