internal import Foundation
internal import PortolanLibrary

/// The parts of a home that an act may change, for comparing it before and after.
///
/// It is the same for each home in which the same was done, whatever ids and dates that has given. It is read
/// once everything that was interrupted is finished.
struct HomeState: Hashable, Sendable {
  /// What each map, kept map and package beside the home is, and what a deep audit finds wrong with maps.
  var parts: [String: String] = [:]

  /// How it differs from another one.
  func differences(from other: HomeState) -> [String] {
    Set(parts.keys).union(other.parts.keys).sorted().compactMap { name in
      let (found, expected) = (parts[name], other.parts[name])
      return found == expected
        ? nil : "\(name) is \(found ?? "not there"), not \(expected ?? "absent")"
    }
  }

  /// Whether each part is that of one of two states.
  func isBetween(_ before: HomeState, _ after: HomeState) -> Bool {
    Set(parts.keys).union(before.parts.keys).union(after.parts.keys).allSatisfy { name in
      [before.parts[name], after.parts[name]].contains(parts[name])
    }
  }
}

/// Reads the state of a home.
struct HomeStateReader {
  let layout: HomeLayout
  let library: MapLibrary
  let audit: LibraryAudit

  private var opening: MapOpening { MapOpening(folder: layout.home) }

  func state() async throws -> HomeState {
    var state = HomeState()
    for map in try await library.maps() {
      state.parts["\"\(map.title)\""] = await text { try await stored(map) }
    }
    for map in try await library.deletedMaps() {
      state.parts["\"\(map.title)\" in the trash"] = await text {
        try await contents(of: layout.deletedPlace(of: map))
      }
    }
    for kept in try await library.keptMaps() where !kept.name.hasPrefix(DamagedHome.leftPrefix) {
      state.parts["\(kept.name), set aside,"] = await text { try await contents(of: kept.url) }
    }
    let folder = ExportedPackage.folder(beside: layout.home)
    for file in packages(in: folder) {
      state.parts["the package \(file.lastPathComponent)"] = await text {
        "\(layers(try await opening.layers(of: file))), \(try await opening.addedRows(of: file)) added"
      }
    }
    let found = try await audit.findings(.deep).filter { $0.map != nil }.map(\.sentence)
    state.parts["what an audit finds"] = found.sorted().joined(separator: " ")
    return state
  }

  // MARK: - Parts

  /// A part that cannot be read is another one than that which can.
  private func text(_ read: () async throws -> String) async -> String {
    do { return try await read() } catch {
      // Each home has another path.
      let reason = error.localizedDescription
        .replacing(layout.home.path(percentEncoded: false), with: "")
      return "what cannot be opened: \(reason)"
    }
  }

  /// The versions of a map, its edits as they are counted for people, and what is in it.
  private func stored(_ map: StoredMap) async throws -> String {
    let earlier = try await library.earlierVersions(of: map.id)
    let isLatest = earlier.allSatisfy { $0.number < map.version }
    let unsent = try await library.unsentEdits(of: map.id).map { "\($0)" } ?? "unknown"
    var text =
      "\(isLatest ? "the latest" : "the earlier") of \(earlier.count + 1) versions "
      + "with \(unsent) edits: \(try await contents(of: layout.place(of: map)))"
    for version in earlier {
      text += "; before: \(try await contents(of: layout.place(of: version.map)))"
    }
    return text
  }

  private func contents(of url: URL) async throws -> String {
    let contents = try await opening.contents(of: url)
    let marks = contents.marks.map { marks in
      let groups = marks.added.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      return "\(marks.table) \(groups) \(marks.changed ?? -1) \(marks.unsent)"
    }
    return "data \(contents.version), \(layers(contents.layers)), \(marks.sorted())"
  }

  private func layers(_ layers: [String: String]) -> String {
    layers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }

  private func packages(in folder: URL) -> [URL] {
    // Beside most homes there is no such folder.
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return (names ?? []).sorted().filter { $0.hasSuffix(".mmpk") && !$0.hasPrefix(".") }
      .map { folder.appending(path: $0) }
  }
}
