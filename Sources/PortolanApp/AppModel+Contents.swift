internal import Foundation
internal import PortolanPackages

extension AppModel {
  /// Shows the bookmarks that a person has added to a map, behind those of the map.
  ///
  /// - Parameters:
  ///   - opened: The map.
  ///   - id: The id of the stored map that it is of, by which its bookmarks outlast updates.
  func loadBookmarks(of opened: MapModel, stored id: String?) async {
    let origin = opened.origin?.standardizedFileURL.path(percentEncoded: false)
    guard let source = id ?? opened.itemID ?? origin else { return }
    await opened.bookmarks.load(
      from: .init(keeper: bookmarks, map: "\(source) \(opened.map.name)"))
  }

  /// The contents of a stored map: its maps, and warnings for users.
  ///
  /// The map that is open stays open.
  ///
  /// - Throws: A problem if it is not stored, has expired, or cannot be read.
  public func contents(ofStored id: String) async throws(Problem) -> PackageModel.Contents {
    guard let library else {
      throw Problem(message: "This app keeps no maps.", kind: .absence)
    }
    let maps = try await library.maps()
    // It cannot be deleted while it is read.
    let opened = try await maps.beginUse(of: id)
    defer { withExtendedLifetime(opened) {} }
    let package = PackageModel(opener: opener)
    let loaded = try await package.load(opened.url)
    package.accept(loaded)
    await package.close()
    return loaded.contents
  }
}
