internal import Foundation
internal import PortolanArchives
internal import PortolanJSON
internal import PortolanTileFiles
internal import PortolanTiles

/// Reads the summary of a package that is a ZIP archive.
struct ArchiveSummary {
  let archive: ZIPArchive
  let title: String

  /// The summary; `nil` if the archive is no package.
  func summary() throws -> PackageSummary? {
    let paths = archive.entries.lazy.compactMap { $0.kind == .file ? $0.path : nil }
    let info = paths.filter {
      !$0.contains("/") && $0.lowercased().hasSuffix(".info") && !$0.isHiddenInPackage
    }
    if let path = info.first(where: { $0.lowercased() == "package.info" }) ?? info.first {
      return PackageSummary(try information(at: path))
    }
    let isTiles = paths.contains { path in
      path.hasSuffix("root.json") || path.lowercased().hasSuffix("conf.xml")
    }
    guard isTiles else { return nil }
    return try PackageSummary(TilePackageFile.open(archive))
  }

  private func information(at path: String) throws -> PackageInfo {
    let data = try archive.data(named: path, limit: PackageLimits.documentSize)
    guard let json = try JSONValue(parsing: data).object else {
      throw PackageError.damaged(
        file: title, place: path, reason: "an object is missing at the root")
    }
    return PackageInfo(json: json, fallbackName: title)
  }
}

extension PackageSummary {
  /// What the metadata of a mobile map package say.
  init(_ info: PackageInfo, isFolder: Bool = false) {
    self.init(kind: isFolder ? .mobileMapFolder : .mobileMapPackage, title: info.title)
    maps = info.mapNames
    extent = info.extent.flatMap { Extent($0, wkid: 4326) }
  }

  /// The metadata of a tile package.
  init(_ file: TilePackageFile, isFolder: Bool = false) throws {
    self.init(isFolder ? .tileCache : .tilePackage, of: file.source.info)
    let item =
      switch file {
      case .raster(let package): try package.itemInformation()
      case .vector(let package): try package.itemInformation()
      }
    if let title = item?.title, !title.isEmpty { self.title = title }
  }
}
