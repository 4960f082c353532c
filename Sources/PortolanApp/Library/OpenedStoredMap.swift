internal import Foundation
internal import PortolanLibrary

/// A stored map that is open for as long as this value lives.
struct OpenedStoredMap: Sendable {
  let id: String
  /// Keeps other processes from deleting it.
  let lease: MapLease
  /// The library that stores it.
  let library: MapLibrary

  /// The file or folder.
  var url: URL { lease.url }

  /// The title in the list of maps; a map in a package may have another title.
  var title: String { lease.map.title }

  /// The portal that it came from; `nil` of one that came from a file.
  var portal: URL? { lease.map.portal }

  /// Whether it is an archive that was brought in, in which edits are counted in a moment.
  var isSmallImportedArchive: Bool { lease.map.isSmallImportedArchive }

  /// The omitted layers and tables, each with the reason.
  var omissions: [String] { lease.map.omissions }

  /// The missing parts, a sentence each.
  var lacks: [String] { omissions.map { "This copy lacks \($0)" } }

  /// Takes the right to edit it, which one process has at a time.
  ///
  /// - Throws: A problem if another process edits it, or a newer version has replaced it.
  func beginEditing() async throws(Problem) {
    do { try await library.beginEditing(lease) } catch { throw Problem(error) }
  }

  /// Lets others edit it, or update it.
  func endEditing() { lease.endEditing() }
}
