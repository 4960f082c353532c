internal import Foundation
internal import PortolanFiles

// How what a job has written differs from the version that it would replace.
extension MapLibrary {
  /// The paths of the files in which the folder of a job differs from the current version of a map;
  /// `nil` if there is no such version.
  ///
  /// Geodatabases that the job has taken over count as the same, whatever was edited since.
  package func paths(changedBy job: String, in id: MapID) async throws(LibraryError) -> Set<String>?
  {
    guard let map = try await storage.storedMap(id), map.deleted == nil, map.form == .folder,
      files.exists(layout.place(of: map))
    else { return nil }
    let (place, staging) = (layout.place(of: map), layout.staging(job))
    var carried = CarriedGeodatabases(in: staging)
    if carried?.version != map.version { carried = nil }
    let (before, after) = (Self.statuses(in: place), Self.statuses(in: staging))
    let paths = Set(before.keys).union(after.keys)
    return paths.filter { path in
      guard let old = before[path], let new = after[path] else { return true }
      guard old.identity != new.identity,
        carried?.geodatabase(at: path, in: staging) == nil
      else { return false }
      return old.byteCount != new.byteCount
        || !FileManager.default.contentsEqual(
          atPath: place.appending(path: path).path(percentEncoded: false),
          andPath: staging.appending(path: path).path(percentEncoded: false))
    }
  }

  /// The files of a map by path, without hidden ones and the journals of databases.
  private static func statuses(in folder: URL) -> [String: FileStatus] {
    let depth = folder.pathComponents.count
    var statuses: [String: FileStatus] = [:]
    FileTree.visit(folder) { url, status in
      guard status.kind == .file, !StoredFile.isIgnored(url.lastPathComponent) else { return }
      statuses[url.pathComponents.dropFirst(depth).joined(separator: "/")] = status
    }
    return statuses
  }
}
