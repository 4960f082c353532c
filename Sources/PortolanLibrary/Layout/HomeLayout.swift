public import Foundation

/// The folders of a home, and which files in them are whose.
///
/// Each folder that things are ever deleted from bears a marker; nothing outside of one is deleted,
/// whatever a record says.
public struct HomeLayout: Hashable, Sendable {
  /// A folder of the home.
  public enum Room: String, Sendable, CaseIterable {
    /// Unpacked mobile map packages, one folder each.
    case maps
    /// Mobile map packages as files.
    case packages
    /// What jobs are writing, one folder each; never opened as a map.
    case staging
    /// What was deleted and can be taken back.
    case trash
  }

  /// The name of the file that marks a folder as one of ours.
  static let marker = ".portolan-room"

  /// The home folder.
  public let home: URL

  /// Describes a home, which need not be there.
  public init(home: URL) { self.home = home }

  /// The file of the catalogue.
  public var catalogue: URL { home.appending(path: "library.sqlite") }

  /// The file whose locks tell which process works on which job.
  public var claims: URL { home.appending(path: "jobs.lock") }

  /// A folder of the home.
  public func folder(_ room: Room) -> URL {
    home.appending(path: room.rawValue, directoryHint: .isDirectory)
  }

  /// Where the job of that name writes.
  public func staging(_ job: String) -> URL {
    folder(.staging).appending(path: job, directoryHint: .isDirectory)
  }

  /// What something that a job has written is called below the folder of all jobs.
  func stagedName(of url: URL) -> String {
    let parent = url.deletingLastPathComponent()
    guard parent.standardizedFileURL != folder(.staging).standardizedFileURL else {
      return url.lastPathComponent
    }
    return "\(parent.lastPathComponent)/\(url.lastPathComponent)"
  }

  /// Where what a job starts from is put together; no name of a job is like it.
  func draft(of job: String) -> URL {
    folder(.staging).appending(path: "\(job).draft", directoryHint: .isDirectory)
  }

  /// The bytes in what a job has written so far.
  public func byteCount(ofStaged job: String) -> Int { DiskUsage(of: staging(job)).byteCount }

  /// Where a stored map is, when it is not in the trash.
  public func place(of map: StoredMap) -> URL {
    switch map.form {
    case .folder: folder(.maps).appending(path: map.id.text, directoryHint: .isDirectory)
    case .file: folder(.packages).appending(path: "\(map.id.text).mmpk")
    }
  }

  /// Where a deleted map waits.
  public func trashPlace(of map: StoredMap) -> URL {
    switch map.form {
    case .folder: folder(.trash).appending(path: map.id.text, directoryHint: .isDirectory)
    case .file: folder(.trash).appending(path: "\(map.id.text).mmpk")
    }
  }

  /// Where else files of that map may be: of another form, or deleted.
  func otherPlaces(of map: StoredMap) -> [URL] {
    var other = map
    other.form = map.form == .folder ? .file : .folder
    return [place(of: other), trashPlace(of: map), trashPlace(of: other)]
  }

  /// What the names of things in the trash end in that are to be removed.
  private static let condemnedSuffix = ".removed"

  /// Whether something is in the trash to be removed; no name of a map is like it.
  func isCondemned(_ url: URL) -> Bool {
    url.lastPathComponent.hasSuffix(Self.condemnedSuffix)
      && url.deletingLastPathComponent().standardizedFileURL == folder(.trash).standardizedFileURL
  }

  /// Where something goes that is to be removed.
  func condemnedPlace(of url: URL) -> URL {
    let room = url.deletingLastPathComponent().lastPathComponent
    return folder(.trash).appending(
      path: "\(room)-\(url.lastPathComponent)\(Self.condemnedSuffix)")
  }

  /// Makes the folders that are missing, for their owner only, and marks them.
  ///
  /// - Throws: ``LibraryError/unwritable(file:reason:)``.
  public func prepare() throws(LibraryError) {
    removeObsoleteIndexes()
    for folder in [home] + Room.allCases.map(folder) {
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
          file: folder.path(percentEncoded: false), reason: error.localizedDescription)
      }
    }
  }

  /// Whether something may be deleted: it lies directly in a marked folder of this home, or in
  /// the folder of a job.
  func mayDelete(_ url: URL) -> Bool {
    var parent = url.deletingLastPathComponent().standardizedFileURL
    let grandparent = parent.deletingLastPathComponent().standardizedFileURL
    if grandparent == folder(.staging).standardizedFileURL,
      FileStatus(parent)?.kind == .folder
    {
      parent = grandparent
    }
    guard Room.allCases.contains(where: { folder($0).standardizedFileURL == parent }),
      url.lastPathComponent != Self.marker
    else { return false }
    return FileManager.default.fileExists(
      atPath: parent.appending(path: Self.marker).path(percentEncoded: false))
  }

  /// What lies in a folder of the home, the marker and hidden files left out, by name.
  public func contents(of room: Room) -> [URL] {
    // A folder that is not there holds nothing.
    let urls = try? FileManager.default.contentsOfDirectory(
      at: folder(room), includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    return (urls ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
  }
}
