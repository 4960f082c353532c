public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanJSON
public import PortolanTiles

/// Writes a tile package, `.tpkx` or `.tpk`: Compact Cache V2 in a ZIP archive.
///
/// Addresses are those of the description's scheme. Tiles are added in any order, from a loop over any
/// source; row by row is fastest. They are kept in a hidden folder beside the target until ``finish()``,
/// so that memory stays flat and the target is never half there. The same tiles in the same order give
/// the same bytes.
///
/// - SeeAlso: Docs/FORMATS.md, 3.2 and 3.3
public struct TilePackageWriter: TileWriter, ~Copyable {
  static let thumbnailName = "thumbnail.png"

  private let target: URL
  private let staging: URL
  private let description: TilePackageDescription
  private let layout: TilePackageLayout
  private let replaces: Bool
  private var bundles: BundleFiles
  private var levels: ClosedRange<Int>?
  private var formats: Set<TileFormat> = []

  /// Begins a package that ``finish()`` puts at `target`.
  ///
  /// - Parameters:
  ///   - target: The file; its folder must exist.
  ///   - description: The metadata of the package, and the scheme of its tiles.
  ///   - layout: The kind of package.
  ///   - replaces: Whether it takes the place of what is there when it is finished.
  /// - Throws: `TileError.unwritable(file:reason:)`, or `TileError.cannotHold(file:reason:)`
  ///   if the pixels of the scheme are no squares.
  public init(
    at target: URL, _ description: TilePackageDescription, layout: TilePackageLayout = .tpkx,
    replacing replaces: Bool = true
  ) throws(TileError) {
    guard description.scheme.levels.allSatisfy({ $0.verticalResolution == nil }) else {
      throw .cannotHold(file: target.lastPathComponent, reason: "their pixels are not square")
    }
    let name = ".\(target.lastPathComponent).\(UUID().uuidString)"
    let staging = target.deletingLastPathComponent().appending(path: name)
    do {
      try FileManager.default.createDirectory(at: staging, withIntermediateDirectories: false)
    } catch {
      throw .unwritable(target, error)
    }
    self.target = target
    self.staging = staging
    self.description = description
    self.layout = layout
    self.replaces = replaces
    self.bundles = BundleFiles(in: staging)
  }

  deinit {
    // What stays behind is hidden and of no use; the package itself is elsewhere by now.
    try? FileManager.default.removeItem(at: staging)
  }

  /// Adds a tile; one already added at that address is replaced.
  ///
  /// - Throws: `TileError.damagedTile(_:file:reason:)` if no such tile can be stored: its level
  ///   is not in the scheme, its address is negative or beyond 32 bits, or it is empty or larger
  ///   than 16 MB.
  public mutating func add(_ tile: Data, at id: TileID) throws(TileError) {
    let sides = 0..<TileScheme.maximumSide
    guard description.scheme.level(id.level) != nil, (0...99).contains(id.level),
      sides.contains(id.row), sides.contains(id.column)
    else { throw damaged(id, "the scheme has no such address") }
    guard !tile.isEmpty, tile.count < CompactCacheFormat.maximumTileSize else {
      throw damaged(id, "\(tile.count) bytes are no tile")
    }
    do { try bundles.add(tile, at: id) } catch { throw .unwritable(target, error) }
    let lowest = min(id.level, levels?.lowerBound ?? id.level)
    let highest = max(id.level, levels?.upperBound ?? id.level)
    levels = lowest...highest
    if let format = TileFormat(detecting: tile) { formats.insert(format) }
  }

  /// Writes the package and puts it in its place, safe from a power cut.
  ///
  /// - Throws: `TileError.nothingToWrite(file:)` if no tile was added.
  public consuming func finish() throws(TileError) {
    guard let levels else {
      throw .nothingToWrite(file: target.path(percentEncoded: false))
    }
    let files: [(id: BundleID, file: URL)]
    do { files = try bundles.close() } catch { throw .unwritable(target, error) }
    do throws(ArchiveError) {
      var archive = try ZIPWriter(replacing: target)
      for (name, document) in documents(levels) { try archive.add(name, document) }
      for (id, file) in files {
        try archive.add(
          "\(layout.tilesFolder)/\(id.path).bundle", file: file)
      }
      try archive.finish(replacing: replaces)
    } catch {
      throw TileError(error)
    }
  }

  /// The files before the bundles.
  private func documents(_ levels: ClosedRange<Int>) -> [(name: String, Data)] {
    var description = description
    // Pictures of several formats are declared as such, whatever their source declared.
    if formats.isSuperset(of: [.png, .jpeg]) { description.format = "MIXED" }
    var documents: [(String, Data)]
    switch layout {
    case .tpkx:
      documents = [
        ("root.json", description.root(levels: levels).encoded()),
        ("iteminfo.json", description.itemInformation.encoded()),
      ]
      if let thumbnail = description.thumbnail {
        documents.append((Self.thumbnailName, thumbnail))
      }
    case .tpk:
      documents = [
        ("esriinfo/item.pkinfo", description.packageInformation()),
        ("esriinfo/iteminfo.xml", description.itemInformationXML()),
      ]
      if let thumbnail = description.thumbnail {
        documents.append(("esriinfo/thumbnail/\(Self.thumbnailName)", thumbnail))
      }
      documents += [
        (MapServiceDescription.path, description.service.encoded()),
        ("v101/Layers/conf.cdi", description.cacheExtent),
        ("v101/Layers/conf.xml", description.cacheInformation),
      ]
    }
    return documents
  }

  private func damaged(_ id: TileID, _ reason: String) -> TileError {
    .damagedTile(id, file: target.lastPathComponent, reason: reason)
  }
}

extension TileError {
  /// The package at `target` could not be written.
  fileprivate static func unwritable(_ target: URL, _ error: any Error) -> TileError {
    .unwritable(file: target.path(percentEncoded: false), reason: error.plainReason)
  }
}
