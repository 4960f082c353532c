internal import Foundation
internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanSQLite

/// A geodatabase that is open, for reading or for editing.
protocol OpenGeodatabase: FeatureStore {
  /// Lends a reader for several synchronous calls.
  func read<T: Sendable>(
    _ body: @Sendable (borrowing GeodatabaseReader) throws(FeatureStoreError) -> T
  ) async throws(FeatureStoreError) -> T
}

extension Geodatabase: OpenGeodatabase {}

extension EditableGeodatabase: OpenGeodatabase {}

/// A geodatabase that is opened when it is first asked for, and again when it is to be edited.
actor GeodatabaseSlot {
  /// Where it is, and whether it may be edited there.
  enum Place: Sendable {
    /// A file, which is edited in the environment.
    case editable(URL, EditingEnvironment)
    /// A file or a part of one, which is not written to for a reason.
    case readOnly(FileLocation, reason: String)
  }

  private let place: Place
  private var opened: Result<any OpenGeodatabase, FeatureStoreError>?
  private var edited: EditableGeodatabase?

  init(_ place: Place) { self.place = place }

  /// The geodatabase; for editing, if it was opened so.
  func geodatabase() throws(FeatureStoreError) -> any OpenGeodatabase {
    if let edited { return edited }
    let result = opened ?? Result { () throws(FeatureStoreError) in try open() }
    opened = result
    return try result.get()
  }

  /// Opens the geodatabase for editing; ``geodatabase()`` gives that one from now on.
  func openForEditing() throws(FeatureEditError) {
    guard edited == nil else { return }
    switch place {
    case .editable(let url, let environment):
      edited = try EditableGeodatabase.open(
        at: url, user: environment.user, now: environment.now, makeID: environment.makeID)
      opened = nil
    case .readOnly(let location, let reason):
      throw .tableNotEditable(table: location.name, reason: reason)
    }
  }

  /// Ends editing, so that nothing is left beside the file.
  func endEditing() async {
    let edited = edited
    self.edited = nil
    await edited?.close()
  }

  private func open() throws(FeatureStoreError) -> any OpenGeodatabase {
    switch place {
    case .editable(let url, _), .readOnly(.file(let url), _): try Geodatabase.open(at: url)
    case .readOnly(.region(let region), _): try Geodatabase.open(at: region)
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
