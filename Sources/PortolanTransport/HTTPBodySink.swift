/// The destination of a response's body while it arrives.
///
/// Calls come one after another, from any thread, never after the transfer has ended. What they
/// throw ends the transfer with that error.
public protocol HTTPBodySink: AnyObject, Sendable {
  /// Whether calls may wait for a disk; a live transport then calls from a queue of its own.
  var mayBlock: Bool { get }

  /// How many bytes it would have at a time, now; fewer come with the head, at the end, and from
  /// transports that do not gather.
  var pieceSize: Int { get }

  /// The response has begun; called once, before any byte.
  func begin(_ head: HTTPResponseHead) throws(TransportError)

  /// More bytes have arrived, decompressed if they had a content coding.
  func receive(_ bytes: RawSpan) throws(TransportError)

  /// Forgets what was received, since the request goes out again and its response starts over.
  ///
  /// - Returns: Whether that can be; if not, the failure stands.
  func restart() -> Bool
}

extension HTTPBodySink {
  /// Calls return at once.
  public var mayBlock: Bool { false }

  /// Bytes are taken as they arrive.
  public var pieceSize: Int { 0 }

  /// Nothing that has arrived can be forgotten.
  public func restart() -> Bool { false }
}
