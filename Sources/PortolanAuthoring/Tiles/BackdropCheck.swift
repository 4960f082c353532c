internal import Foundation
internal import PortolanConversion
internal import PortolanTileFiles
internal import PortolanTiles

/// Reads the tiles of a tile package that becomes a backdrop, so that damaged ones are reported.
struct BackdropCheck {
  /// The tile package.
  let file: URL

  /// Adds the tiles that cannot be read to what could not be taken over.
  ///
  /// - Throws: ``AuthoringError/cancelled``.
  func note(in result: inout ConversionResult) async throws(AuthoringError) {
    // A file that cannot be opened is reported where a map shows it.
    guard let source = try? TilePackageFile.open(file).source else { return }
    let name = file.lastPathComponent
    do throws(TileError) {
      for try await id in source.tileIDs {
        guard !Task.isCancelled else { throw TileError.cancelled }
        guard let reason = try await damage(of: id, in: source) else { continue }
        result.add(
          ConversionResult.Failure(part: name, item: "tile \(id.address)", reason: reason))
      }
    } catch {
      guard error != .cancelled else { throw AuthoringError.cancelled }
      result.add(ConversionResult.Failure(part: name, reason: error.clause))
    }
  }

  /// What is wrong with a tile, as a clause; `nil` if nothing is.
  private func damage(
    of id: TileID, in source: any TileSource
  ) async throws(TileError) -> String? {
    do throws(TileError) {
      if try await source.tile(at: id) != nil { return nil }
      return try await source.hasEmptyTile(at: id) ? nil : "it is listed and is not there"
    } catch {
      guard error != .cancelled else { throw error }
      return error.clause
    }
  }
}
