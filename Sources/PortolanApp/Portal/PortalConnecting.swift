public import Foundation
public import PortolanPortal

/// A source of portals for screens: the composition of the app knows transports and credentials.
public protocol PortalConnecting: Sendable {
  /// A portal, with the credentials there are for it.
  ///
  /// - Parameter url: The portal; the one that people are signed in to, else ArcGIS Online, if
  ///   `nil`.
  /// - Returns: The portal, of which nothing was asked yet.
  /// - Throws: `PortolanPortal.PortalError` if the address is no portal's.
  func portal(at url: URL?) async throws(PortalError) -> Portal
}
