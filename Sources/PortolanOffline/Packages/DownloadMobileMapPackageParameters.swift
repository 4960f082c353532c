public import Foundation

/// The parameters of downloading a mobile map package of a portal.
public struct DownloadMobileMapPackageParameters: Hashable, Sendable, Codable {
  /// The root of the portal.
  public var portal: URL
  /// The item.
  public var item: String

  /// Creates parameters.
  public init(portal: URL, item: String) {
    self.portal = portal
    self.item = item
  }
}
