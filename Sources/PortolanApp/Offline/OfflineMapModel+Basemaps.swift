public import Foundation
internal import PortolanLibrary

extension OfflineMapModel {
  /// A tile package of a map on this device, which can stand in for the basemap of another one.
  public struct BasemapFile: Hashable, Sendable, Codable, Identifiable {
    /// The map that it is part of and its place in it, for documents that must not name folders.
    public var id: String
    /// The name of the file.
    public var name: String
    /// The title of the map.
    public var mapTitle: String
    /// Its size, if known.
    public var byteCount: Int?
    /// The file.
    public var file: URL
  }

  /// The tile packages of the maps on this device, by their maps.
  ///
  /// - Throws: A problem if the catalogue of maps cannot be read.
  public func basemapFiles() async throws(Problem) -> [BasemapFile] {
    var found: [BasemapFile] = []
    do {
      for map in try await library.maps.maps() where map.form == .folder {
        // Of a map that cannot be opened now there is no basemap to be had.
        guard let lease = try? await library.maps.open(map.id) else { continue }
        found += await Self.basemapFiles(of: lease)
      }
    } catch {
      throw Problem(error)
    }
    return found
  }

  @concurrent private static func basemapFiles(of lease: MapLease) async -> [BasemapFile] {
    let files = FileManager.default.enumerator(
      atPath: lease.url.path(percentEncoded: false))
    let paths = (files?.compactMap { $0 as? String } ?? []).filter { path in
      ["tpk", "tpkx", "vtpk"].contains(URL(filePath: path).pathExtension.lowercased())
    }
    return paths.sorted().map { path in
      let file = lease.url.appending(path: path)
      return BasemapFile(
        id: "\(lease.map.id.text)/\(path)", name: file.lastPathComponent,
        mapTitle: lease.map.title,
        // An unknown size is left out.
        byteCount: try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, file: file)
    }
  }
}
