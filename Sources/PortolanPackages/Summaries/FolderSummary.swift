internal import Foundation
internal import PortolanFiles
internal import PortolanJSON
internal import PortolanTileFiles

/// Reads the summary of a package that is a folder.
struct FolderSummary {
  let url: URL

  /// The summary; `nil` if the folder is no package.
  ///
  /// Only what lies in it directly, and in the folders in it, is looked at.
  func summary() throws(PackageError) -> PackageSummary? {
    let file = url.lastPathComponent
    do {
      let names = try FileManager.default.contentsOfDirectory(
        atPath: url.path(percentEncoded: false)
      ).sorted()
      let info = names.filter { $0.lowercased().hasSuffix(".info") }
      if let name = info.first(where: { $0.lowercased() == "package.info" }) ?? info.first {
        return PackageSummary(try information(at: url.appending(path: name)), isFolder: true)
      }
      guard isCache(names) else { return nil }
      return try PackageSummary(TilePackageFile.open(url), isFolder: true)
    } catch let error as PackageError {
      throw error
    } catch {
      throw .damaged(file: file, place: "its metadata", reason: error.plainReason)
    }
  }

  private func isCache(_ names: [String]) -> Bool {
    let documents: Set = ["conf.xml", "root.json"]
    if names.contains(where: { documents.contains($0.lowercased()) }) { return true }
    return names.prefix(100).contains { name in
      documents.contains { document in
        FileManager.default.fileExists(
          atPath: url.appending(path: "\(name)/\(document)").path(percentEncoded: false))
      }
    }
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
