internal import CMicroHTTPD
internal import Foundation

/// A body on its way out, read by the daemon as fast as the client takes it.
@safe
final class OutgoingBody: Sendable {
  /// Longer than any client waits.
  private static let stall = Duration.seconds(3600)

  private let reader: BodyReader
  private let pace: BodyPace?
  private let transfer: Int?
  private let connection: SuspendableConnection
  private let context: ServerContext

  init(
    _ delivery: DemoDelivery, target: String, connection: SuspendableConnection,
    context: ServerContext
  ) {
    reader = BodyReader(delivery)
    pace = delivery.mishaps.rate.map { BodyPace(rate: $0) }
    transfer = context.transfers?.begin(target, delivery)
    self.connection = connection
    self.context = context
  }

  /// Copies bytes from `position` on into `buffer`.
  ///
  /// - Returns: How many; 0 if the connection has been suspended, else the mark of an end.
  func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    if let pause = pace?.pause(at: position) {
      return wait(pause) ? 0 : portolan_mhd_end_with_error()
    }
    switch reader.step(at: position, limit: min(buffer.count, pace?.piece ?? .max)) {
    case .bytes(let count):
      let bytes = reader.bytes(at: position, count: count)
      unsafe buffer.copyBytes(from: bytes)
      if let transfer { context.transfers?.add(count, to: transfer) }
      return count
    case .stall: return wait(Self.stall) ? 0 : portolan_mhd_end_with_error()
    case .cut: return portolan_mhd_end_with_error()
    }
  }

  /// Lets the client wait, until it gives up or the server stops at most.
  private func wait(_ pause: Duration) -> Bool {
    let clock = context.portal.state.clock
    return context.tasks.start(preparing: connection.suspend) { [connection] in
      // The sleep ends early when the server stops, and then the connection ends too.
      try? await clock.sleep(pause)
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
