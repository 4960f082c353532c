internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary

/// The packages of watched folders that were declined, as the home remembers them for the next
/// start.
struct DeclinedPackages: Sendable {
  /// The size and date of an entry of a folder: when they change, it is offered again.
  struct Look: Hashable, Sendable, Codable {
    let byteCount: Int
    let modified: Date
  }

  /// A limit for the size of a record, in bytes.
  private static let largest = 4 << 20

  private let url: URL
  /// The file that is locked while the record is changed: it is itself replaced.
  private let lockFile: URL
  private let clock: any Clock<Duration>

  /// Describes the record of a home.
  ///
  /// - Parameters:
  ///   - layout: The home.
  ///   - clock: Measures how long another process that changes the record is waited for.
  init(of layout: HomeLayout, clock: any Clock<Duration> = ContinuousClock()) {
    url = layout.home.appending(path: "declined-packages.json")
    lockFile = layout.home.appending(path: ".declined-packages.lock")
    self.clock = clock
  }

  /// The declined entries of a folder, by path.
  @concurrent func read(in folder: URL) async -> [String: Look] {
    // A record that cannot be read now means that packages are offered again.
    let record = (try? all()) ?? [:]
    return record.filter { Self.isEntry($0.key, of: folder) }
  }

  /// Remembers that an entry of a folder is declined, beside what this and other processes have
  /// declined; of that folder, what is gone is forgotten.
  @concurrent func add(_ path: String, _ look: Look, in folder: URL) async {
    // If nothing can be written, the package is offered again after the next start.
    try? await change { record in
      record = record.filter {
        !Self.isEntry($0.key, of: folder) || FileSystem.live.exists(URL(filePath: $0.key))
      }
      record[path] = look
    }
  }

  /// Changes the record while no other process does.
  private func change(_ edit: (inout [String: Look]) -> Void) async throws {
    let lock = try await FileLock.attempt(
      .exclusive, on: .lockFile(lockFile), patientlyBy: clock)
    guard let lock else { return }
    defer { lock.release() }
    var record = try all()
    edit(&record)
    let data = try JSONEncoder().encode(record)
    try FileSystem.live.write(data, to: url, permissions: 0o600)
  }

  /// The declined entries of all folders, by path.
  ///
  /// - Throws: ``FileError/unreadable(file:reason:)`` where it is not known what is in the record.
  private func all() throws(FileError) -> [String: Look] {
    let data: Data
    do { data = try FileSystem.live.read(url, limit: Self.largest) } catch {
      if case .absent = error { return [:] }
      throw error
    }
    // A record written by another program says nothing.
    return (try? JSONDecoder().decode([String: Look].self, from: data)) ?? [:]
  }

  /// Whether something lies directly in a folder; another that is watched may lie in it.
  private static func isEntry(_ path: String, of folder: URL) -> Bool {
    let parent = folder.path(percentEncoded: false)
    let prefix = parent.hasSuffix("/") ? parent : parent + "/"
    return path.hasPrefix(prefix) && !path.dropFirst(prefix.count).dropLast().contains("/")
  }
}
