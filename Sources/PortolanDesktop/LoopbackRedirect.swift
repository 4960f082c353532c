internal import Glibc
public import PortolanPortal

/// Receives portals' answers on a port of this machine (RFC 8252, 7.3).
public struct LoopbackRedirect: RedirectListening {
  /// Creates it; nothing is opened yet.
  public init() {}

  public func open() async throws(PortalError) -> any RedirectListener {
    try LoopbackListener()
  }
}
