internal import CMicroHTTPD
internal import Foundation
internal import Synchronization

/// Owns a daemon of libmicrohttpd, which polls in threads of its own.
///
/// Nothing may be waiting for a response when it is stopped: the library ends the process if a
/// connection is still suspended then.
@safe
final class MicroHTTPDaemon: Sendable {
  /// How long a connection may be silent, in seconds, except while a body is due.
  static let idleSeconds: UInt32 = 600

  /// The port it listens on.
  let port: UInt16

  private let handle: Mutex<UInt>
  private let context: ServerContext

  init(
    _ configuration: HTTPServer.Configuration, context: ServerContext
  ) throws(HTTPServerError) {
    self.context = context
    let daemon = unsafe Self.start(configuration, context: context)
    guard let daemon = unsafe daemon else { throw .cannotListen(port: configuration.port) }
    port = unsafe portolan_mhd_port(daemon)
    handle = Mutex(UInt(bitPattern: daemon))
  }

  deinit { Self.stop(handle.withLock { $0 }) }

  /// Closes every connection and frees the port.
  func stop() async {
    let address = handle.withLock { handle in
      defer { handle = 0 }
      return handle
    }
    // The library waits for its threads, which the threads of tasks must not do.
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        Self.stop(address)
        continuation.resume()
      }
    }
  }

  private static func stop(_ address: UInt) {
    guard let daemon = unsafe OpaquePointer(bitPattern: address) else { return }
    unsafe MHD_stop_daemon(daemon)
  }

  private static func start(
    _ configuration: HTTPServer.Configuration, context: ServerContext
  ) -> OpaquePointer? {
    let identity = configuration.identity
    let certificate = Array((identity?.certificate ?? "").utf8CString)
    let key = Array((identity?.privateKey ?? "").utf8CString)
    return unsafe certificate.withUnsafeBufferPointer { certificate in
      unsafe key.withUnsafeBufferPointer { key in
        var settings = unsafe portolan_mhd_settings(
          port: configuration.port, threads: UInt32(clamping: max(configuration.threads, 1)),
          connections: UInt32(clamping: max(configuration.connections, 1)),
          idle_seconds: idleSeconds, header_bytes: configuration.headerBytes,
          certificate: identity == nil ? nil : certificate.baseAddress,
          private_key: identity == nil ? nil : key.baseAddress)
        // The owner keeps the context for as long as the daemon runs.
        return unsafe portolan_mhd_start(
          &settings, DaemonCallbacks.begin, DaemonCallbacks.handle, DaemonCallbacks.complete,
          Unmanaged.passUnretained(context).toOpaque())
      }
    }
  }
}
