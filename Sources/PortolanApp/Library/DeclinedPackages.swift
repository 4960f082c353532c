internal import Foundation
internal import PortolanFiles
internal import PortolanLibrary

/// The packages of watched folders that were declined, as the home remembers them for the next
/// start.
struct DeclinedPackages: Sendable {
  /// What is known of an entry of a folder: when that changes, it is offered again.
  struct Look: Hashable, Sendable, Codable {
    let byteCount: Int
    let modified: Date
  }

  /// More than any record has, in bytes.
  private static let largest = 4 << 20

  private let url: URL

  /// Describes the record of a home.
  init(of layout: HomeLayout) { url = layout.home.appending(path: "declined-packages.json") }

  /// What was declined in a folder, by path.
  @concurrent func read(in folder: URL) async -> [String: Look] {
    all().filter { Self.isEntry($0.key, of: folder) }
  }

  /// Remembers what is declined in a folder, in place of what was before.
  @concurrent func write(_ declined: [String: Look], in folder: URL) async {
    var record = all().filter { !Self.isEntry($0.key, of: folder) }
    record.merge(declined) { $1 }
    // Where nothing can be written it is offered again after the next start.
    guard let data = try? JSONEncoder().encode(record) else { return }
    // Likewise.
    try? FileSystem.live.write(data, to: url, permissions: 0o600)
  }

  private func all() -> [String: Look] {
    // What is not there, or was written by another program, says nothing.
    guard let data = try? FileSystem.live.read(url, limit: Self.largest) else { return [:] }
    // Likewise.
    return (try? JSONDecoder().decode([String: Look].self, from: data)) ?? [:]
  }

  /// Whether something lies directly in a folder; another that is watched may lie in it.
  private static func isEntry(_ path: String, of folder: URL) -> Bool {
    let parent = folder.path(percentEncoded: false)
    let prefix = parent.hasSuffix("/") ? parent : parent + "/"
    return path.hasPrefix(prefix) && !path.dropFirst(prefix.count).dropLast().contains("/")
  }
}
