internal import Foundation
internal import PortolanTransport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An interface of this machine.
struct NetworkInterface: Hashable {
  /// For example `eth0`.
  let name: String

  /// The status that follows from the interfaces and routes of now.
  static func status() -> NetworkStatus {
    status(of: connected(), routes: RoutingTable.current()) { $0.isDevice }
  }

  /// The status that follows from what is known.
  ///
  /// An interface leads to others if a default route goes through it, or if it is a device with an
  /// address: a machine may reach a portal on a network without a gateway. Bridges, tunnels and
  /// the like, which programs create for networks inside this machine, count by their route only.
  ///
  /// - Parameters:
  ///   - interfaces: Those that are up, run and have an address; `nil` if that is not known.
  ///   - routes: The routes; `nil` if they are not known, and then every interface counts.
  ///   - isDevice: Whether an interface is a device of this machine.
  /// - Returns: The status.
  static func status(
    of interfaces: Set<NetworkInterface>?, routes: RoutingTable?,
    isDevice: (NetworkInterface) -> Bool
  ) -> NetworkStatus {
    guard let interfaces else { return .online(isMetered: nil) }
    let leading = interfaces.filter { interface in
      guard let routes else { return true }
      return routes.defaultInterfaces.contains(interface.name) || isDevice(interface)
    }
    guard !leading.isEmpty else { return .offline(.notConnected) }
    // One that is known to be a mobile network counts only where there is no other.
    return .online(isMetered: leading.allSatisfy(\.isMobile) ? true : nil)
  }

  /// Whether it is a device, and not made by a program.
  private var isDevice: Bool {
    FileManager.default.fileExists(atPath: "/sys/class/net/\(name)/device")
  }

  /// Whether it is a modem of a mobile network, where bytes cost money.
  private var isMobile: Bool {
    // Without the file it is none that the kernel knows as one.
    let event = try? String(contentsOfFile: "/sys/class/net/\(name)/uevent", encoding: .utf8)
    return event?.contains("DEVTYPE=wwan") ?? false
  }

  /// Those that are up, run and have an address; `nil` if the system does not say.
  private static func connected() -> Set<NetworkInterface>? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var found: Set<NetworkInterface> = []
    var entry = unsafe list
    while let interface = unsafe entry?.pointee {
      let flags = unsafe Int(interface.ifa_flags)
      let isUp = flags & IFF_UP != 0 && flags & IFF_RUNNING != 0
      let isLoopback = flags & IFF_LOOPBACK != 0
      if isUp, !isLoopback, unsafe leadsBeyond(interface.ifa_addr) {
        found.insert(NetworkInterface(name: unsafe String(cString: interface.ifa_name)))
      }
      unsafe entry = interface.ifa_next
    }
    return found
  }

  /// Whether an address is more than one that an interface gives itself when no server assigns one.
  private static func leadsBeyond(_ address: UnsafeMutablePointer<sockaddr>?) -> Bool {
    guard let address = unsafe address else { return false }
    switch unsafe Int32(address.pointee.sa_family) {
    case AF_INET:
      return unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        let bytes = unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        return bytes >> 16 != 0xA9FE  // 169.254.0.0/16
      }
    case AF_INET6:
      return unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        unsafe withUnsafeBytes(of: $0.pointee.sin6_addr) { bytes in
          unsafe !(bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80)  // fe80::/10
        }
      }
    default: return false
    }
  }
}
