package import Foundation

extension String {
  /// Whether a host, with or without brackets, is this machine.
  package var isLoopbackHost: Bool {
    let host = trimmingCharacters(in: ["[", "]"]).lowercased()
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.isLoopbackIPv4
  }

  private var isLoopbackIPv4: Bool {
    let parts = split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension URL {
  /// Whether the host is this machine, which needs no network.
  package var isOnThisMachine: Bool { host()?.isLoopbackHost ?? false }
}
