internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary

/// Finds what lies in a home, and neither belongs to anything nor is named by the audit.
struct HomeOrphans {
  let layout: HomeLayout
  let library: MapLibrary
  let audit: LibraryAudit

  func found() async throws -> [String] {
    let known = try await known()
    var orphans: [String] = []
    for folder in HomeLayout.Folder.allCases where folder != .kept {
      for url in layout.contents(of: folder) {
        let parts = [url] + (isContainer(url) ? contents(of: url) : [])
        orphans += parts.map(name).filter { !known.contains($0) }
      }
    }
    orphans += try names(in: layout.home).filter { !Self.isOurs($0) }
    return orphans.map { "\($0) belongs to nothing and is not found" }
  }

  private func known() async throws -> Set<String> {
    var known: Set<String> = []
    for map in try await library.storage.storedMaps() {
      known.insert(name(layout.trashPlace(of: map)))
      for version in try await library.storage.versions(of: map.id).map(\.map) + [map] {
        let place = layout.place(of: version)
        known.formUnion([name(place), name(place.deletingLastPathComponent())])
      }
    }
    for installation in try await library.storage.installations() {
      let place = layout.place(of: installation.map)
      known.formUnion([name(place), name(place.deletingLastPathComponent())])
    }
    for job in try await library.storage.jobs() where !job.state.isFinal || job.state.isFailed {
      known.insert("staging/\(job.id)")
    }
    for finding in try await audit.findings() { known.formUnion(names(in: finding)) }
    return known
  }

  private func names(in finding: LibraryFinding) -> [String] {
    switch finding {
    // Of a folder of versions without a record the latest is found first.
    case .unrecorded(let url, _):
      let folder = url.deletingLastPathComponent()
      return ([url, folder] + contents(of: url) + contents(of: folder)).map(name)
    case .foreign(let url, _), .abandoned(let url), .unknownTrash(let url), .halfRemoved(let url),
      .unknownVersion(let url, _):
      return ([url, url.deletingLastPathComponent()] + contents(of: url)).map(name)
    case .halfDeleted(let map), .halfInstalled(let map), .filesMissing(let map),
      .damaged(let map, _, _), .incomplete(let map, _), .unreadable(let map, _):
      let places = [layout.place(of: map), layout.deletedPlace(of: map)]
        .map { $0.deletingLastPathComponent() }
      return (places + places.flatMap(contents)).map(name)
    case .unreadableRecord: return []
    }
  }

  // MARK: - Names

  /// What a home holds beside its folders.
  private static func isOurs(_ name: String) -> Bool {
    name.hasPrefix("library.sqlite") || name.hasPrefix("library-damaged")
      || [".lock", ".reserve", "jobs.lock", "records", "unpacked"].contains(name)
      || HomeLayout.Folder.allCases.contains { $0.rawValue == name }
  }

  /// Whether a folder holds the versions of a map.
  private func isContainer(_ url: URL) -> Bool {
    FileManager.default.fileExists(
      atPath: url.appending(path: ".portolan-versions").path(percentEncoded: false))
  }

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
  }

  private func contents(of folder: URL) -> [URL] {
    // A file holds nothing.
    let urls = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return urls ?? []
  }

  /// The name of something below the home.
  private func name(_ url: URL) -> String { url.pathComponents.suffix(2).joined(separator: "/") }
}

extension JobState {
  /// Whether it may be resumed with what it has fetched.
  fileprivate var isFailed: Bool { if case .failed = self { true } else { false } }
}
