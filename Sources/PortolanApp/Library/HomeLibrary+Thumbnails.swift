internal import Foundation
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanPackages

extension HomeLibrary {
  /// The picture of a stored map, a web map or an area: the one that its portal gave, else that of
  /// its package, else one that is drawn and kept.
  ///
  /// - Returns: PNG or JPEG; `nil` for what is not stored and has none.
  /// - Throws: ``LibraryError`` if the catalogue cannot be read or written.
  func thumbnail(of id: String) async throws(LibraryError) -> Data? {
    if let kept = try await storage.thumbnail(of: id) { return kept }
    guard let mapID = MapID(id), try await storage.storedMap(mapID) != nil,
      let picture = await drawThumbnail(of: mapID)
    else { return nil }
    try await storage.setThumbnail(picture, of: id)
    return picture
  }

  private func drawThumbnail(of id: MapID) async -> Data? {
    do {
      let opened = try await maps.open(id)
      defer { withExtendedLifetime(opened) {} }
      let package = try await packages.open(opened.url)
      let map = package.maps.first
      if let picture = package.info.thumbnail ?? map?.item.thumbnail { return picture }
      guard let map else { return nil }
      return try await drawing.thumbnail(of: map).data
    } catch {
      // A map that cannot be opened, which opening it reports, has no picture.
      return nil
    }
  }
}
