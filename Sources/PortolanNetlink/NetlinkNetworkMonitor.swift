internal import Dispatch
public import PortolanTransport

#if canImport(CNetlink)
  internal import CNetlink
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The network of this machine, as the kernel reports it.
///
/// There is a network while an interface that leads to other machines is up, runs and has an
/// address: one with a default route, or a device of this machine. Bridges and tunnels of programs
/// do not count by themselves. Where the kernel says nothing, there is one as far as is known, so
/// that requests are tried.
public final class NetlinkNetworkMonitor: NetworkMonitor {
  private let current: SwitchableNetworkMonitor
  /// Once made it is only cancelled, which any thread may do.
  private nonisolated(unsafe) let source: (any DispatchSourceRead)?

  /// Looks at the interfaces, and from now on again whenever the kernel reports a change.
  public init() {
    #if canImport(CNetlink)
      let descriptor = cnetlink_open()
    #else
      // A kernel without netlink says nothing; a port supplies a monitor of its own.
      let descriptor: Int32 = -1
    #endif
    guard descriptor >= 0 else {
      current = SwitchableNetworkMonitor(.online(isMetered: nil))
      unsafe source = nil
      return
    }
    // Looked at after the socket was opened, so that no change falls between the two.
    let current = SwitchableNetworkMonitor(NetworkInterface.status())
    let queue = DispatchQueue(label: "PortolanNetlink")
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      Self.drain(descriptor)
      current.set(NetworkInterface.status())
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
    self.current = current
    unsafe self.source = source
  }

  deinit { unsafe source?.cancel() }

  public var status: NetworkStatus { current.status }

  public func updates() -> AsyncStream<NetworkStatus> { current.updates() }

  /// Reads what the kernel has sent; that something has changed is all that matters, even if it
  /// was too much to be kept (`ENOBUFS`).
  private static func drain(_ descriptor: Int32) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 1 << 15, alignment: 16) { buffer in
      while unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0) > 0 || errno == ENOBUFS {
        errno = 0
      }
    }
  }
}
