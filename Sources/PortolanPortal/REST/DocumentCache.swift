public import Foundation

/// Keeps the metadata of portals and services, for when they cannot be reached.
public protocol DocumentCache: Sendable {
  /// Stores a document, replacing an older one.
  func keep(_ document: CachedDocument, for address: String) async

  /// The document of an address; `nil` if none is kept.
  func document(for address: String) async -> CachedDocument?
}

/// A document of a portal or service as it was at a time.
public struct CachedDocument: Hashable, Sendable, Codable {
  /// The body.
  public var body: Data
  /// The media type that the server gave.
  public var contentType: String?
  /// The date at which it was fetched.
  public var fetched: Date?

  /// Creates a document.
  public init(body: Data, contentType: String?, fetched: Date? = nil) {
    self.body = body
    self.contentType = contentType
    self.fetched = fetched
  }
}
