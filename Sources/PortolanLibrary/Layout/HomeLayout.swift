public import Foundation
internal import PortolanFiles

/// The folders of a home, and which files in them belong to what.
///
/// Each folder that things are ever deleted from has a marker; nothing outside of one is deleted,
/// whatever a record says.
public struct HomeLayout: Hashable, Sendable {
  /// A folder of the home.
  public enum Folder: String, Sendable, CaseIterable {
    /// Unpacked mobile map packages: a folder for each map, in it one for each version.
    case maps
    /// Mobile map packages as files: a folder for each map, in it a file for each version.
    case packages
    /// What jobs are writing, one folder each; never opened as a map.
    case staging
    /// What was deleted and can be restored.
    case trash
    /// Damaged maps that may hold edits; deleted only when a person asks for it.
    case kept
  }

  /// The name of the file that marks a folder as one of ours.
  static let marker = ".portolan-room"

  /// The home folder.
  public let home: URL

  /// Describes a home, which need not exist.
  public init(home: URL) { self.home = home }

  /// The file of the catalogue.
  public var catalogue: URL { home.appending(path: "library.sqlite") }

  /// A catalogue that was rebuilt, and is about to take the place of a damaged one.
  ///
  /// As long as it is there the other one is not used: its journal may be gone already.
  var rebuiltCatalogue: URL { home.appending(path: "library-rebuilt.sqlite") }

  /// A catalogue that is being made of what a damaged one still says.
  var catalogueDraft: URL { home.appending(path: "library-rebuilding.sqlite") }

  /// The space that is set aside for what makes room on a full disk.
  var reserve: DiskReserve { DiskReserve(at: home.appending(path: ".reserve")) }

  /// Whether there is a catalogue, be it one that is about to take its place.
  public var hasCatalogue: Bool {
    DurableMove.exists(catalogue) || DurableMove.exists(rebuiltCatalogue)
  }

  /// The file whose locks say which process works on which job.
  public var claims: URL { home.appending(path: "jobs.lock") }

  /// A folder of the home.
  public func folder(_ folder: Folder) -> URL {
    home.appending(path: folder.rawValue, directoryHint: .isDirectory)
  }

  /// Where the job of that name writes.
  public func staging(_ job: String) -> URL {
    folder(.staging).appending(path: job, directoryHint: .isDirectory)
  }

  private static let importPrefix = "import-"

  /// The name of a job that imports a package of this device.
  public static func importJob(_ id: UUID) -> String {
    importPrefix + id.uuidString.lowercased()
  }

  /// Whether it is where such a job writes.
  public static func isOfImport(_ url: URL) -> Bool {
    url.lastPathComponent.hasPrefix(importPrefix)
  }

  private static let exportPrefix = "export-"

  /// Whether it is where a map is put together that is written out.
  static func isOfExport(_ url: URL) -> Bool { url.lastPathComponent.hasPrefix(exportPrefix) }

  /// The path, below the folder of all jobs, of something that a job has written.
  func stagedName(of url: URL) -> String {
    let parent = url.deletingLastPathComponent()
    guard parent.standardizedFileURL != folder(.staging).standardizedFileURL else {
      return url.lastPathComponent
    }
    return "\(parent.lastPathComponent)/\(url.lastPathComponent)"
  }

  /// Ends the names of drafts; no name of a job is like it.
  private static let draftSuffix = ".draft"

  /// Where what a job starts from is put together.
  func draft(of job: String) -> URL {
    folder(.staging).appending(path: job + Self.draftSuffix, directoryHint: .isDirectory)
  }

  /// Whether a name in the folder of jobs is that of a draft.
  func isDraft(_ name: String) -> Bool { name.hasSuffix(Self.draftSuffix) }

  /// The bytes in what a job has written so far.
  public func byteCount(ofStaged job: String) -> Int { DiskUsage(of: staging(job)).byteCount }

  // MARK: - Removing

  /// The suffix of the names of things in the trash that are to be removed.
  private static let condemnedSuffix = ".removed"

  /// Whether something is in the trash to be removed; no name of a map is like it.
  func isCondemned(_ url: URL) -> Bool {
    url.lastPathComponent.hasSuffix(Self.condemnedSuffix)
      && url.deletingLastPathComponent().standardizedFileURL == folder(.trash).standardizedFileURL
  }

  /// Where something goes that is to be removed; there are several such places.
  func condemnedPlace(of url: URL, number: Int = 1) -> URL {
    let parent = url.deletingLastPathComponent().lastPathComponent
    let mark = number == 1 ? "" : "-\(number)"
    return folder(.trash).appending(
      path: "\(parent)-\(url.lastPathComponent)\(mark)\(Self.condemnedSuffix)")
  }

  /// Whether something may be deleted: it lies directly in a marked folder of this home, or in
  /// the folder of a job, or is a version of a map, be it one that was set aside.
  func mayDelete(_ url: URL) -> Bool {
    // Before anything is cut off: ".." in a folder is the one above it.
    let url = url.standardizedFileURL
    var parent = url.deletingLastPathComponent().standardizedFileURL
    let grandparent = parent.deletingLastPathComponent().standardizedFileURL
    let holdsFolders = [Folder.staging, .maps, .packages, .kept].contains {
      folder($0).standardizedFileURL == grandparent
    }
    if holdsFolders, FileStatus(parent)?.kind == .folder { parent = grandparent }
    guard Folder.allCases.contains(where: { folder($0).standardizedFileURL == parent }),
      url.lastPathComponent != Self.marker
    else { return false }
    return FileManager.default.fileExists(
      atPath: parent.appending(path: Self.marker).path(percentEncoded: false))
  }

  // MARK: - Folders

  /// Creates the folders that are missing, for their owner only, and marks them.
  ///
  /// A home that others may look into, as older versions left it, is closed to them.
  ///
  /// - Throws: ``LibraryError/unwritable(file:reason:)``, ``LibraryError/takenFolder(_:)`` a folder
  ///   of that name holds something, and nothing says that this is a home.
  public func prepare() throws(LibraryError) {
    try requireNoOthersFolders()
    if isHome { restrict(home, to: 0o700) }
    removeObsoleteIndexes()
    for folder in [home] + Folder.allCases.map(folder) {
      do {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard folder != home else { continue }
        let marker = folder.appending(path: Self.marker)
        if !FileManager.default.fileExists(atPath: marker.path(percentEncoded: false)) {
          try Data().write(to: marker)
        }
      } catch {
        throw .unwritable(
          file: folder.path(percentEncoded: false), reason: error.plainReason)
      }
    }
  }

  /// Refuses to take a folder over that somebody uses, such as the "packages" of a program's sources.
  private func requireNoOthersFolders() throws(LibraryError) {
    for folder in Folder.allCases.map(folder) where !contents(of: folder).isEmpty {
      // Looked at last: who makes this a home meanwhile marks its folders before anything is in them.
      guard !isMarked, !hasCatalogue, !looksLikeHome else { return }
      throw .takenFolder(folder.path(percentEncoded: false))
    }
  }

  /// Whether any folder of the home has its mark.
  private var isMarked: Bool {
    Folder.allCases.contains { FileStatus(folder($0).appending(path: Self.marker)) != nil }
  }

  /// Whether there is something that may be a map: a home may have lost its catalogue, and copies of it
  /// what is hidden.
  private var looksLikeHome: Bool {
    [Folder.maps, .packages, .trash, .kept].flatMap { contents(of: $0) }.contains { url in
      guard FileStatus(url)?.kind == .folder else { return url.pathExtension == "mmpk" }
      return contents(of: url).contains { part in
        part.lastPathComponent == "package.info"
          || Int(part.deletingPathExtension().lastPathComponent) != nil
      }
    }
  }

  /// Whether this is a home already, and not some folder that happens to be named as one.
  private var isHome: Bool {
    FileManager.default.fileExists(
      atPath: folder(.maps).appending(path: Self.marker).path(percentEncoded: false))
  }

  /// Takes the rights of others away, where they have any.
  func restrict(_ url: URL, to permissions: Int) {
    guard let status = FileStatus(url), Int(status.permissions) & ~permissions != 0 else { return }
    // The permissions of another user's folder are left to its owner.
    try? FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: url.path(percentEncoded: false))
  }

  /// Whether there are maps, deleted ones too.
  public var holdsMaps: Bool {
    [Folder.maps, .packages, .trash].contains { folder in
      // What cannot be listed may hold some.
      do throws(LibraryError) { return try !list(self.folder(folder)).isEmpty } catch {
        return true
      }
    }
  }

  /// Whether the home is there, with neither maps nor anything else that was stored, deleted or set aside in
  /// it.
  public var isEmptyHome: Bool {
    guard FileStatus(home)?.kind == .folder else { return false }
    return !hasCatalogue && !holdsMaps
      && Folder.allCases.allSatisfy { folder in
        // What cannot be listed may hold something.
        do throws(LibraryError) { return try list(self.folder(folder)).isEmpty } catch {
          return false
        }
      }
  }

  /// What lies in a folder of the home, the marker and hidden files left out, by name.
  public func contents(of folder: Folder) -> [URL] { contents(of: self.folder(folder)) }

  /// What lies in a folder, hidden files left out, by name; nothing where it cannot be listed.
  func contents(of folder: URL) -> [URL] {
    // For lists; what decides about files asks `list`.
    (try? list(folder)) ?? []
  }

  /// What lies in a folder, hidden files left out, by name; nothing where there is no such folder.
  ///
  /// - Throws: ``LibraryError/unreadable(file:reason:)`` if it cannot be listed: then it is unknown
  ///   what is in it.
  func list(_ folder: URL, in files: FileSystem = .live) throws(LibraryError) -> [URL] {
    do {
      return try files.names(in: folder).filter { !$0.hasPrefix(".") }
        .map { folder.appending(path: $0, directoryHint: .checkFileSystem) }
    } catch {
      throw LibraryError(reading: error)
    }
  }
}
