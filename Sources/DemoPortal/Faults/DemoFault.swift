/// A fault of requests to certain addresses, on demand.
public struct DemoFault: Hashable, Sendable {
  /// The kind of a fault.
  public enum Kind: Hashable, Sendable {
    /// Nothing is sent for a while.
    case latency(Duration)
    /// The connection ends without an answer.
    case drop
    /// The connection ends after that many bytes of the body.
    case cut(after: Int)
    /// Nothing more is sent after that many bytes of the body; the connection stays.
    case stall(after: Int)
    /// The body is sent no faster than that.
    case slow(bytesPerSecond: Int)
    /// Another status instead of the answer, with `Retry-After` in seconds if there is one.
    case status(Int, retryAfter: Int?)
    /// An error envelope instead of the answer.
    case failure(DemoFailure)
    /// A sign-in page of the network instead of the answer.
    case html
    /// `Content-Length` is wrong by so many bytes.
    case wrongLength(by: Int)
    /// So many bytes of the body are changed.
    case corrupt(bytes: Int)
    /// `Range` is ignored.
    case noRanges
    /// The `ETag` is another one, as after a new version.
    case newVersion
    /// The token that the request carries expires before it is looked at.
    case expiredToken
  }

  /// The kind of the fault.
  public var kind: Kind

  /// The pattern of the affected paths: `*` matches any letters, and case does not matter.
  public var path: String

  /// The number of matching requests that pass unharmed before the fault begins.
  public var skip: Int

  /// The number of requests that the fault affects; `nil` for all until it is removed.
  public var count: Int?

  /// Creates a fault that affects every request by default.
  public init(_ kind: Kind, path: String = "*", skip: Int = 0, count: Int? = nil) {
    self.kind = kind
    self.path = path
    self.skip = skip
    self.count = count
  }
}
