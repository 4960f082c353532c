internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// A file of features that is opened when it is first asked for, and again when it is to be edited.
actor FeatureFileSlot {
  /// Where it is, and whether it may be edited there.
  enum Place: Sendable {
    /// A file, which is edited in the environment.
    case editable(URL, EditingEnvironment)
    /// A file or a part of one, which is not written to for a reason.
    case readOnly(FileLocation, reason: String)
    /// A GeoPackage, which is only read.
    case geoPackage(URL)

    /// A geodatabase that is a file of its own; without an environment it is only read.
    static func geodatabase(_ url: URL, _ editing: EditingEnvironment?) -> Place {
      editing.map { .editable(url, $0) }
        ?? .readOnly(.file(url), reason: "it was opened for reading only")
    }
  }

  private let place: Place
  private var opened: (any FileFeatureStore)?
  private var edited: EditableGeodatabase?

  /// Describes a file, which is not opened yet.
  init(_ place: Place) { self.place = place }

  /// The features; for editing, if the file was opened so.
  func store() throws(FeatureStoreError) -> any FileFeatureStore {
    if let edited { return edited }
    if let opened { return opened }
    // A failure is not kept: a file that is busy now may be read later.
    let store = try open()
    opened = store
    return store
  }

  /// Opens the file for editing; ``store()`` gives that from now on.
  func openForEditing() throws(FeatureEditError) {
    guard edited == nil else { return }
    switch place {
    case .editable(let url, let environment):
      edited = try EditableGeodatabase.open(
        at: url, user: environment.user, now: environment.now, makeID: environment.makeID)
      opened = nil
    case .readOnly(let location, let reason):
      throw .tableNotEditable(table: location.name, reason: reason)
    case .geoPackage(let url):
      throw .tableNotEditable(
        table: url.lastPathComponent,
        reason: "GeoPackages are only read; convert it to a .geodatabase, and edit that")
    }
  }

  /// Ends editing, so that nothing is left beside the file.
  func endEditing() async {
    let edited = edited
    self.edited = nil
    await edited?.close()
  }

  private func open() throws(FeatureStoreError) -> any FileFeatureStore {
    switch place {
    case .editable(let url, _), .readOnly(.file(let url), _):
      try Geodatabase.open(at: url)
    case .readOnly(.region(let region), _):
      try Geodatabase.open(at: region)
    case .geoPackage(let url): try GeoPackage.open(at: url)
    }
  }
}

extension FileLocation {
  /// The name of the file, for messages.
  fileprivate var name: String {
    switch self {
    case .file(let url): url.lastPathComponent
    case .region(let region): region.url.lastPathComponent
    }
  }
}
