public import Foundation

/// A body that is read as fast as the client takes it, on the threads of the server.
public protocol HTTPServerBody: Sendable {
  /// The next piece to send.
  ///
  /// - Parameters:
  ///   - position: How many bytes have been sent.
  ///   - limit: The most bytes that can be taken now.
  /// - Returns: Bytes, or what to wait for, or that this is all.
  func next(at position: Int, limit: Int) -> HTTPServerBodyStep
}

/// The next step of a body that is read.
public enum HTTPServerBodyStep: Sendable {
  /// These bytes, no more than the limit and at least one.
  case bytes(Data)
  /// Nothing until the closure returns; its task is cancelled when the server stops.
  case wait(@Sendable () async -> Void)
  /// It is complete.
  case end
  /// It breaks off, and the connection with it.
  case cut
}
