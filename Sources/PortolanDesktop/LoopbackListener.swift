internal import Foundation
internal import PortolanPortal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One port of 127.0.0.1 that waits for one answer.
@safe
final class LoopbackListener: RedirectListener {
  let redirectURI: String
  private let socket: Int32
  private let port: UInt16
  private let queue = BlockingQueue("portolan.redirect")
  /// Writing to its second end wakes the loop.
  private let wake: (read: Int32, write: Int32)

  init() throws(PortalError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Self.failure() }
    for end in ends { Self.keepToItself(end) }
    do throws(PortalError) {
      (socket, port) = try Self.listen()
    } catch {
      for end in ends { close(end) }
      throw error
    }
    wake = (ends[0], ends[1])
    redirectURI = "http://127.0.0.1:\(port)\(Self.path)"
  }

  deinit {
    for descriptor in [socket, wake.read, wake.write] { close(descriptor) }
  }

  static let path = "/callback"

  func answer(
    within seconds: Int, accepting accepts: @escaping @Sendable (URL) -> Bool
  ) async throws(PortalError) -> URL {
    let work: @Sendable () throws(PortalError) -> URL = { [self] () throws(PortalError) in
      var loop = RedirectLoop(listening: socket, wakingBy: wake.read, port: port)
      return try loop.run(within: seconds, accepting: accepts)
    }
    let result: Result<URL, PortalError> = await withTaskCancellationHandler {
      do throws(PortalError) {
        return .success(try await queue.run(work))
      } catch {
        return .failure(error)
      }
    } onCancel: {
      wakeUp()
    }
    return try result.get()
  }

  private func wakeUp() {
    let byte: [UInt8] = [1]
    // A full pipe wakes as well.
    _ = unsafe byte.withUnsafeBytes { unsafe write(wake.write, $0.baseAddress, 1) }
  }

  /// Keeps a descriptor from programs that are started, and calls on it from waiting.
  static func keepToItself(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  private static func listen() throws(PortalError) -> (socket: Int32, port: UInt16) {
    let made = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard made >= 0 else { throw failure() }
    keepToItself(made)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(made, $0, length) == 0 && Glibc.listen(made, 16) == 0
          && getsockname(made, $0, &length) == 0
      }
    }
    guard isOpen else {
      let error = failure()
      close(made)
      throw error
    }
    return (made, UInt16(bigEndian: address.sin_port))
  }

  private static func failure() -> PortalError {
    .signIn(.noRedirect(reason: unsafe String(cString: strerror(errno))))
  }
}
