public import Foundation
internal import PortolanArchives
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanMap

/// Writes a mobile map package, as an archive or as a folder, in the layout of ArcGIS.
///
/// ```swift
/// var writer = MobileMapPackageWriter(description)
/// writer.maps = [map]
/// writer.files = [geodatabaseURL, tilePackageURL]
/// try writer.writeArchive(to: url)
/// ```
///
/// The package appears under its name, complete and on the disk, or not at all. The same
/// description, maps and files give the same bytes. Every call blocks: use it off the cooperative
/// pool.
///
/// - SeeAlso: Docs/FORMATS.md, 1
public struct MobileMapPackageWriter: Hashable, Sendable {
  /// The folder of maps and data; its name contains their version.
  static let dataFolder = "p13"

  /// The metadata of the package.
  public var description: MobileMapPackageDescription
  /// The maps, in order.
  public var maps: [NewMobileMap]
  /// The geodatabases, tile packages and other files that the layers need, each of which keeps
  /// its name.
  public var files: [URL]

  /// Begins a package.
  public init(
    _ description: MobileMapPackageDescription, maps: [NewMobileMap] = [], files: [URL] = []
  ) {
    self.description = description
    self.maps = maps
    self.files = files
  }

  /// Writes the package as a `.mmpk`.
  ///
  /// Nothing is compressed, so that readers find all data in place.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - replaces: Whether it takes the place of what is there when it is whole.
  /// - Throws: ``PackageWriterError``; what was there before is there still.
  public func writeArchive(
    to url: URL, replacing replaces: Bool = true
  ) throws(PackageWriterError) {
    let parts = try parts(infoName: description.name)
    do throws(ArchiveError) {
      var archive = try ZIPWriter(replacing: url, modified: description.modified)
      for part in parts { try archive.add(part.path, contentsOf: part.source) }
      try archive.finish(replacing: replaces)
    } catch {
      throw PackageWriterError(error)
    }
  }

  /// Writes the package as a folder at `url`, where nothing but an empty folder may exist.
  public func writeFolder(to url: URL) throws(PackageWriterError) {
    let parts = try parts(infoName: "package")
    var folder = try Self.stage(url)
    do {
      for part in parts { try folder.add(part.path, contentsOf: part.source) }
    } catch {
      throw PackageWriterError(error)
    }
    do { try folder.commit() } catch { throw PackageWriterError(ArchiveError(error)) }
  }

  /// Writes the documents of the package and its maps into a folder that holds the data already,
  /// so that the maps can be drawn before the package is put together.
  ///
  /// They are not synced: the folder is scratch.
  package func writeDocuments(into folder: URL) throws(PackageWriterError) {
    try checkNames()
    let documents =
      [("package.info", description.info(maps: maps).encoded())]
      + maps.map { ("\(Self.dataFolder)/\($0.name).mmap", $0.document(in: description)) }
    for (path, data) in documents {
      do { try FileSystem.live.writeScratch(data, to: folder.appending(path: path)) } catch {
        throw PackageWriterError(ArchiveError(error))
      }
    }
  }

  private static func stage(_ url: URL) throws(PackageWriterError) -> StagedFolder {
    do { return try StagedFolder(url) } catch { throw PackageWriterError(ArchiveError(error)) }
  }

  private typealias Part = (path: String, source: any ByteSource)

  /// Everything in the package, what readers look for first in front.
  private func parts(infoName: String) throws(PackageWriterError) -> [Part] {
    try checkNames()
    for map in maps { try checkPaths(of: map) }
    var parts = [part("\(infoName).info", description.info(maps: maps).encoded())]
    for map in maps {
      parts.append(
        part("\(Self.dataFolder)/\(map.name).mmap", map.document(in: description)))
    }
    for file in files {
      do throws(ArchiveError) {
        let source = try FileByteSource(at: file)
        parts.append(("\(Self.dataFolder)/\(file.lastPathComponent)", source))
      } catch {
        throw PackageWriterError(error)
      }
    }
    return parts + information(size: parts.map(\.source.count).reduce(0, +))
  }

  /// The folder `esriinfo`, which catalogues read.
  private func information(size: Int) -> [Part] {
    let package = description.packageInformation(size: size)
    var parts = [
      part("esriinfo/item.pkinfo", package.document),
      part("esriinfo/iteminfo.xml", description.itemInformation.document),
    ]
    if let thumbnail = description.thumbnail {
      parts.append(part("esriinfo/\(MobileMapPackageDescription.thumbnailPath)", thumbnail))
    }
    return parts
  }

  private func part(_ path: String, _ data: Data) -> Part {
    (path, MemoryByteSource(data, name: path))
  }

  private func checkNames() throws(PackageWriterError) {
    let names = maps.map { "\($0.name).mmap" } + files.map(\.lastPathComponent)
    for name in names + [description.name] {
      let isUsable =
        !name.hasPrefix(".") && !name.contains { "/\\:\0".contains($0) }
        && (1...200).contains(name.utf8.count)
      guard isUsable else { throw .unusableName(name) }
    }
    var known: Set<String> = []
    // Packages are also unpacked where case does not count.
    for name in names where !known.insert(name.lowercased()).inserted {
      throw .repeatedName(name)
    }
  }

  /// Refuses a map whose layers point at data that are not in the package.
  private func checkPaths(of map: NewMobileMap) throws(PackageWriterError) {
    let available = Set(files.map { "\(Self.dataFolder)/\($0.lastPathComponent)" })
    for layer in map.webMap.allLayers + map.webMap.basemap.layers {
      guard let path = layer.path else { continue }
      // A path that leads out of the package leads to nothing in it.
      let resolved = try? path.resolved(relativeTo: Self.dataFolder)
      guard let resolved, available.contains(resolved) else {
        throw .missingData(map: map.name, layer: layer.title, path: path.path)
      }
    }
  }
}
