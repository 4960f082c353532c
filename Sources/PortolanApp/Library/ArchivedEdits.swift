internal import PortolanPackages

/// Edits in a package that is an archive, as one that was exported from another device holds.
///
/// They cannot be sent from there, nor are they counted there when maps are listed or deleted.
enum ArchivedEdits: Hashable, Sendable {
  /// So many features differ from what was synchronized last.
  case counted(Int)
  /// A database cannot be read, or has a journal: there may be some.
  case unknown

  /// Looks for edits; `nil` if there are none, or the package is no archive.
  ///
  /// - Throws: `CancellationError`, and nothing else: what cannot be read may hold edits.
  @concurrent init?(in package: MobileMapPackage) async throws {
    guard let databases = package.archivedDatabases else { return nil }
    do {
      let count = try await databases.editCount()
      guard count > 0 else { return nil }
      self = .counted(count)
    } catch {
      // A count that was cancelled is no count.
      try Task.checkCancellation()
      self = .unknown
    }
  }

  /// The warning about a map that holds them and that an older Portolan has stored unchanged; a
  /// sentence for people.
  func sentence(ofStored title: String) -> String {
    switch self {
    case .counted(1):
      "An edit in \"\(title)\" was not sent yet, and cannot be sent from an archive."
    case .counted(let count):
      "\(count) edits in \"\(title)\" were not sent yet, and cannot be sent from an archive."
    case .unknown:
      "Whether \"\(title)\" holds edits that were not sent is not known: it is an archive that cannot be "
        + "read whole."
    }
  }

  /// The advice on such a map, a sentence for people.
  static let wayOut =
    "Export it, and import that file again, replacing it: it is stored unpacked then, and its edits can be "
    + "sent."

  /// Their fate, a sentence for people.
  var sentence: String {
    switch self {
    case .counted(1):
      "An edit in it was not sent yet; it is stored unpacked, so that the edit can be sent."
    case .counted(let count):
      "\(count) edits in it were not sent yet; it is stored unpacked, so that they can be sent."
    case .unknown:
      "Whether it holds edits that were not sent is not known; it is stored unpacked, so that none of "
        + "them is lost."
    }
  }
}
