internal import Foundation
internal import PortolanPortal

/// Which versions of packages the files of an offline map are, kept beside them.
///
/// A version is written before its file is asked for, so that a file which is there is of the
/// version that is written, whenever a process dies.
struct PackageVersions {
  fileprivate struct Version: Codable, Hashable {
    var modified: Date?
    var byteCount: Int?
  }

  private static let name = ".packages.json"

  private let folder: URL
  private var versions: [String: Version] = [:]

  /// Reads what is known of the files in a folder; without a record that can be read, nothing is.
  init(in folder: URL) {
    self.folder = folder
    // Files of which nothing is known are fetched again.
    guard let data = try? Data(contentsOf: folder.appending(path: Self.name)) else { return }
    versions = (try? JSONDecoder().decode([String: Version].self, from: data)) ?? [:]  // as above
  }

  /// Whether the file of a package is of the version that the portal has.
  func isCurrent(_ package: AreaPackage) -> Bool {
    versions[package.fileName] == Version(package)
  }

  /// Says that the file of a package will be of the version that the portal has.
  mutating func expect(_ package: AreaPackage) throws {
    guard !isCurrent(package) else { return }
    versions[package.fileName] = Version(package)
    try JSONEncoder().encode(versions).write(
      to: folder.appending(path: Self.name), options: .atomic)
  }

  /// Removes the files of packages that the area no longer has.
  mutating func removeAll(but packages: [AreaPackage]) throws {
    let kept = Set(packages.map(\.fileName))
    for name in versions.keys where !kept.contains(name) {
      for suffix in ["", ".part", ".part.json"] {
        let file = folder.appending(path: name + suffix)
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
          continue
        }
        try FileManager.default.removeItem(at: file)
      }
      versions[name] = nil
    }
  }
}

extension PackageVersions.Version {
  fileprivate init(_ package: AreaPackage) {
    modified = package.portalItem.modified
    byteCount = package.byteCount
  }
}
