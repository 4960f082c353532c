internal import CMicroHTTPD
internal import Foundation

/// A body in transit, read by the daemon as fast as the client takes it.
@safe
final class OutgoingBody: Sendable {
  private let body: any HTTPServerBody
  private let connection: SuspendableConnection
  private let tasks: ServerTasks

  init(_ body: any HTTPServerBody, connection: SuspendableConnection, tasks: ServerTasks) {
    self.body = body
    self.connection = connection
    self.tasks = tasks
  }

  /// Copies bytes from `position` on into `buffer`.
  ///
  /// - Returns: How many; 0 if the connection has been suspended, else the mark of an end.
  func read(at position: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    switch body.next(at: position, limit: buffer.count) {
    case .bytes(let bytes):
      let count = min(bytes.count, buffer.count)
      unsafe buffer.copyBytes(from: bytes.prefix(count))
      return count
    case .wait(let wait):
      let hasStarted = tasks.start(preparing: connection.suspend) { [connection] in
        await wait()
        connection.resume()
      }
      return hasStarted ? 0 : portolan_mhd_end_with_error()
    case .end: return portolan_mhd_end_of_stream()
    case .cut: return portolan_mhd_end_with_error()
    }
  }
}

/// A connection that can be suspended; its number travels between threads, the pointer does not.
@safe
struct SuspendableConnection: Sendable {
  private let address: UInt

  init(_ connection: OpaquePointer) { address = UInt(bitPattern: connection) }

  /// Puts the connection aside: the daemon neither reads nor writes.
  func suspend() {
    guard let connection = unsafe OpaquePointer(bitPattern: address) else { return }
    unsafe MHD_suspend_connection(connection)
  }

  /// Lets the daemon continue.
  func resume() {
    guard let connection = unsafe OpaquePointer(bitPattern: address) else { return }
    unsafe MHD_resume_connection(connection)
  }
}
