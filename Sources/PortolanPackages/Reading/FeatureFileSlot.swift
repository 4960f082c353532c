internal import Foundation
internal import PortolanFeatures
internal import PortolanGeoPackage
internal import PortolanGeodatabase
internal import PortolanSQLite

/// A file of features that is opened when it is first requested, and again when it is to be edited.
actor FeatureFileSlot {
  /// The format of the file.
  enum Format: Sendable {
    case geodatabase
    case geoPackage
  }

  /// The location, and whether it may be edited there.
  enum Place: Sendable {
    /// A file, which is edited in the environment.
    case editable(URL, Format, EditingEnvironment)
    /// A file or a part of one, which is not written to for a reason.
    case readOnly(FileLocation, Format, reason: String)

    /// A file of its own; without an environment it is only read.
    static func file(_ url: URL, _ format: Format, _ editing: EditingEnvironment?) -> Place {
      editing.map { .editable(url, format, $0) }
        ?? .readOnly(.file(url), format, reason: "it was opened for reading only")
    }
  }

  private let place: Place
  private var opened: (any FileFeatureStore)?
  private var edited: (any EditableFileStore)?

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
    case .editable(let url, .geodatabase, let environment):
      edited = try EditableGeodatabase.open(
        at: url, user: environment.user, now: environment.now, makeID: environment.makeID)
    case .editable(let url, .geoPackage, let environment):
      edited = try EditableGeoPackage.open(
        at: url, user: environment.user, now: environment.now, makeID: environment.makeID)
    case .readOnly(let location, _, let reason):
      throw .tableNotEditable(table: location.name, reason: reason)
    }
    opened = nil
  }

  /// Ends editing, so that nothing is left beside the file.
  func endEditing() async {
    let edited = edited
    self.edited = nil
    await edited?.close()
  }

  /// Closes the file, whether it is read or edited; ``store()`` opens it again.
  func close() async {
    let opened = opened
    self.opened = nil
    await opened?.close()
    await endEditing()
  }

  private func open() throws(FeatureStoreError) -> any FileFeatureStore {
    switch place {
    case .editable(let url, .geodatabase, _), .readOnly(.file(let url), .geodatabase, _):
      try Geodatabase.open(at: url)
    case .readOnly(.region(let region), .geodatabase, _): try Geodatabase.open(at: region)
    case .editable(let url, .geoPackage, _), .readOnly(.file(let url), .geoPackage, _):
      try GeoPackage.open(at: url)
    case .readOnly(.region(let region), .geoPackage, _): try GeoPackage.open(at: region)
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
