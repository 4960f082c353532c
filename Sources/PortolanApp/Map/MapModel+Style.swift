public import Foundation
internal import PortolanFiles
internal import PortolanPackages
internal import PortolanTiles

extension MapModel {
  /// Draws all vector tiles of the map with the style of a file, in place of their own.
  ///
  /// - Throws: A problem if there is no such file, it is no style, or no layer of the map has vector tiles.
  public func setStyle(from url: URL) async throws(Problem) {
    guard FileSystem.live.exists(url) else {
      throw Problem(InspectionError.noSuchFile(file: url.relativePath))
    }
    let style: StyleFile
    do throws(TileError) { style = try await Self.read(url) } catch { throw Problem(error) }
    try await setStyle(style)
  }

  @concurrent private static func read(_ url: URL) async throws(TileError) -> StyleFile {
    try StyleFile(url)
  }
}
