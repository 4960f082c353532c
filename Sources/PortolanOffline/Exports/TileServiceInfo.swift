internal import Foundation
internal import PortolanPortal

/// Asks a tile service for its metadata, and where its tiles are exported.
struct TileServiceInfo {
  let service: URL
  let portal: Portal

  init(_ service: URL, _ portal: Portal) {
    self.service = service
    self.portal = portal
  }

  /// The metadata of the service.
  var source: MapSources.Tiles {
    get async throws(PortalError) {
      let packaging: PortalHelperServices.Packaging?
      do { packaging = try await portal.info().helperServices.packaging } catch {
        guard error.leavesOtherServices else { throw error }
        packaging = nil
      }
      return try await MapSources.tiles(at: service, packaging, portal.client)
    }
  }
}
