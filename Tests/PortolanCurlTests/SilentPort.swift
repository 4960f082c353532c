import Foundation
import Glibc

/// A port that connections can be made to, where nobody ever says anything.
enum SilentPort {
  /// Keeps a port until `body` is done; one where nobody listens belongs to nobody else either.
  static func run(
    isListening: Bool = true, _ body: (Int) async throws -> Void
  ) async throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
          && (!isListening || listen(listener, 8) == 0)
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    try await body(Int(UInt16(bigEndian: address.sin_port)))
  }
}
