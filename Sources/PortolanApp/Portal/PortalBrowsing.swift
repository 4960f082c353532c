public import Foundation
public import PortolanPortal

/// The requests of screens that show a portal; the live implementation is `Portal`.
public protocol PortalBrowsing: Sendable {
  /// The root of the portal, for example `https://www.arcgis.com`.
  var url: URL { get }

  /// Finds items.
  func findItems(
    _ parameters: PortalQueryParameters
  ) async throws(PortalError) -> PortalQueryResultSet<PortalItem>

  /// An item.
  func item(_ id: PortalItem.ID) async throws(PortalError) -> PortalItem

  /// The picture of an item, scaled to that width if the portal can; `nil` if it has none.
  func thumbnail(of item: PortalItem, width: Int?) async throws(PortalError) -> Data?
}

extension Portal: PortalBrowsing {}
