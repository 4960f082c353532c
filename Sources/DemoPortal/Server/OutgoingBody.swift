internal import CMicroHTTPD
internal import Foundation

/// A body on its way out, read by the daemon as fast as the client takes it.
@safe
final class OutgoingBody: Sendable {
  /// Longer than any client waits.
  private static let stall = Duration.seconds(3600)

  private let reader: BodyReader
  private let connection: SuspendableConnection
  private let context: ServerContext

  init(_ delivery: DemoDelivery, connection: SuspendableConnection, context: ServerContext) {
    reader = BodyReader(delivery)
    self.connection = connection
    self.context = context
  }

  /// Copies bytes from `position` on into `buffer`.
  ///
  /// - Returns: How many; 0 if the connection has been suspended, else the mark of an end.
  func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch reader.step(at: position, limit: buffer.count) {
    case .bytes(let count):
      let bytes = reader.bytes(at: position, count: count)
      unsafe buffer.copyBytes(from: bytes)
      return count
    case .stall: return stall() ? 0 : portolan_mhd_end_with_error()
    case .cut: return portolan_mhd_end_with_error()
    }
  }

  /// Lets the client wait until it gives up or the server stops.
  private func stall() -> Bool {
    let clock = context.portal.state.clock
    return context.tasks.start(preparing: connection.suspend) { [connection] in
      // The sleep ends early when the server stops, and then the connection ends too.
      try? await clock.sleep(Self.stall)
      connection.resume()
    }
  }
}

/// A connection that can be put aside; its number travels between threads, the pointer does not.
@safe
struct SuspendableConnection: Sendable {
  private let address: UInt

  init(_ connection: OpaquePointer) { address = UInt(bitPattern: connection) }

  /// Puts the connection aside: the daemon neither reads nor writes.
  func suspend() {
    guard let connection = unsafe OpaquePointer(bitPattern: address) else { return }
    unsafe MHD_suspend_connection(connection)
  }

  /// Lets the daemon go on.
  func resume() {
    guard let connection = unsafe OpaquePointer(bitPattern: address) else { return }
    unsafe MHD_resume_connection(connection)
  }
}
