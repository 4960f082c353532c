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
        || !Self.isSame(place.appending(path: path), staging.appending(path: path), new.byteCount)
    }
  }

  /// Whether two files of a size have the same bytes; what cannot be read is not the same.
  ///
  /// One that people edit may be open in this program, and is read without a descriptor of its own.
  private static func isSame(_ first: URL, _ second: URL, _ byteCount: Int) -> Bool {
    do {
      let (first, second) = (try IncomingBytes(of: first), try IncomingBytes(of: second))
      for start in stride(from: 0, to: byteCount, by: pieceSize) {
        let range = start..<min(start + pieceSize, byteCount)
        guard try first.read(range) == second.read(range) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  private static let pieceSize = 1 << 20

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
