public import Foundation

/// What to download of a portal item that is a mobile map package.
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
