public import PortolanPortal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Receives portals' answers on a port of this machine (RFC 8252, 7.3).
public struct LoopbackRedirect: RedirectListening {
  /// Creates it; nothing is opened yet.
  public init() {}

  public func open() async throws(PortalError) -> any RedirectListener {
    try LoopbackListener()
  }
}
