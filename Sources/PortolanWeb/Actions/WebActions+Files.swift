internal import Foundation
internal import PortolanApp
internal import PortolanJSON

// Files that are imported and written: packages, maps, regions of tiles.
extension WebActions {
  // MARK: - Into this device

  /// Brings in a package that a page has sent, and removes what was sent.
  func importPackage(
    _ body: ActionParameters, into maps: MapListModel
  ) async throws(Problem) -> JSONValue {
    let policy = try body.importPolicy()
    let upload = try await uploads.take(try body.text("upload"))
    let imported: PackageImport
    do throws(Problem) {
      imported = try await maps.importPackage(upload.file, onConflict: policy)
    } catch {
      await uploads.remove(upload)
      throw error
    }
    await uploads.remove(upload)
    return imported.json
  }

  /// Takes the tiles of a file that a page has sent over as a region, and removes what was sent.
  func importRegion(
    _ body: ActionParameters, into tiles: TileRegionsModel
  ) async throws(Problem) -> JSONValue {
    guard
      let policy = TileImportPolicy(
        rawValue: body.object["policy"]?.string ?? TileImportPolicy.skip.rawValue)
    else { throw body.missing("policy") }
    let upload = try await uploads.take(try body.text("upload"))
    let imported: TileImportResult
    do throws(Problem) { imported = try await tiles.importFile(upload.file, policy) } catch {
      await uploads.remove(upload)
      throw error
    }
    await uploads.remove(upload)
    return imported.json
  }

  // MARK: - Out of this device

  /// Writes a stored map into a mobile map package for the page to save.
  func exportMap(
    _ body: ActionParameters, of maps: MapListModel
  ) async throws(Problem) -> JSONValue {
    let id = try body.text("id")
    let savesDamaged = body.object["damaged"]?.bool ?? false
    let title = maps.state.items.first { $0.id == id }?.title ?? id
    let download = try await downloads.make(titled: title, "mmpk") { file throws(Problem) in
      _ = try await maps.export(id, to: file, savingDamaged: savesDamaged)
    }
    return Self.json(of: download)
  }

  /// Writes the package whose specification is being edited into a file for the page to save.
  func preview(_ name: String) async throws(Problem) -> JSONValue {
    guard name == "save" else { throw Self.unknown("preview/\(name)") }
    guard let preview = app.preview else {
      throw Problem(
        message: "No package is shown while it is edited.",
        suggestion: "Open the page of the package that is being edited.", kind: .absence)
    }
    let title = preview.specification.deletingPathExtension().lastPathComponent
    let download = try await downloads.make(titled: title, "mmpk") { file throws(Problem) in
      try await preview.save(to: file)
    }
    return Self.json(of: download)
  }

  /// Writes a region of tiles into a file for the page to save.
  func exportRegion(
    _ body: ActionParameters, of tiles: TileRegionsModel
  ) async throws(Problem) -> JSONValue {
    let (name, format) = (try body.text("name"), try body.text("format"))
    guard Self.tileFormats.contains(format) else {
      throw body.missing("format")
    }
    try await tiles.load()
    let counts = tiles.state.regions.first { $0.name == name }?.counts
    let missing = counts.map { $0.remaining + $0.failed } ?? 0
    // The name of the file says what is in it, for later.
    let holes = missing == 1 ? "1 tile" : "\(missing) tiles"
    let title = missing == 0 ? name : "\(name) (\(holes) missing)"
    let download = try await downloads.make(titled: title, format) { file throws(Problem) in
      let result = try await tiles.export(name, to: file)
      guard let damage = result.damages.first else { return }
      // Without a warning a file with gaps would be taken for the whole region.
      throw Problem(
        message: result.damagedCount == 1
          ? "A tile of \"\(name)\" cannot be read. \(damage)"
          : "\(result.damagedCount) tiles of \"\(name)\" cannot be read. \(damage)",
        suggestion: "Download the region again.")
    }
    return Self.json(of: download)
  }

  /// The endings of the files that regions are written into.
  private static let tileFormats: Set = ["mbtiles", "pmtiles", "tpkx", "tpk"]

  private static func json(of download: (id: String, name: String)) -> JSONValue {
    ["download": .string(download.id), "name": .string(download.name)]
  }
}
