internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanTileFiles

/// Reads the summary of a package that is a folder.
struct FolderSummary {
  let url: URL

  /// The summary; `nil` if the folder is no package.
  ///
  /// Only what lies in it directly, and in the folders in it, is looked at, and one folder deeper in those
  /// that packages keep the versions of their contents in (`v101`).
  func summary() throws(PackageError) -> PackageSummary? {
    let file = url.lastPathComponent
    do {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: url.path(percentEncoded: false)
      ).sorted()
      let info = names.filter { $0.lowercased().hasSuffix(".info") && !$0.isHiddenInPackage }
      if let name = info.first(where: { $0.lowercased() == "package.info" }) ?? info.first {
        return PackageSummary(try information(at: url.appending(path: name)), isFolder: true)
      }
      guard isCache(names), !TilePackageFile.holdsSeveral(url) else { return nil }
      return try PackageSummary(TilePackageFile.open(url), isFolder: true)
    } catch let error as PackageError {
      throw error
    } catch {
      throw .damaged(file: file, place: "its metadata", reason: error.plainReason)
    }
  }

  private func isCache(_ names: [String]) -> Bool {
    let documents: Set<String> = ["conf.xml", "root.json"]
    if names.contains(where: { documents.contains($0.lowercased()) }) { return true }
    return names.prefix(100).contains { name in
      Self.folders(in: url.appending(path: name), named: name).contains { folder in
        // Looked for by name: there may be millions of tiles beside it.
        documents.union(["Conf.xml"]).contains { document in
          FileManager.default.fileExists(
            atPath: folder.appending(path: document).path(percentEncoded: false))
        }
      }
    }
  }

  /// A folder and, if it holds a version of the contents, those in it.
  private static func folders(in folder: URL, named name: String) -> [URL] {
    guard name.lowercased().hasPrefix("v"), Int(name.dropFirst()) != nil else { return [folder] }
    // What cannot be listed holds nothing that can be read.
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return [folder] + (names ?? []).map { folder.appending(path: $0) }
  }

  private func information(at url: URL) throws -> PackageInfo {
    let data = try FileSystem.live.read(url, limit: PackageLimits.documentSize)
    let title = self.url.lastPathComponent
    guard let json = try JSONValue(parsing: data).object else {
      throw PackageError.damaged(
        file: title, place: url.lastPathComponent, reason: "an object is missing at the root")
    }
    return PackageInfo(json: json, fallbackName: title)
  }
}
