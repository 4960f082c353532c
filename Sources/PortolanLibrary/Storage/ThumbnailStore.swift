public import Foundation

/// Small pictures of maps.
public protocol ThumbnailStore: Sendable {
  /// The picture of a stored map, a web map or an area, by its id: PNG or JPEG.
  func thumbnail(of id: String) async throws(LibraryError) -> Data?

  /// Writes a picture, or removes it.
  func setThumbnail(_ data: Data?, of id: String) async throws(LibraryError)
}
