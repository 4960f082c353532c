internal import Foundation
internal import PortolanLibrary

/// The homes that children begin with whose system calls fail.
///
/// Beside each may be a package that a map was written into.
struct CallSweepHomes: Sendable {
  /// A job that no catalogue knows, and that has left edits.
  private static let job = "lost-job"

  /// What repairing may set aside: these edits, and what could not be listed for a moment.
  static let kept = Set(
    ["\(job)-1"]
      + HomeLayout.Folder.allCases.map { "\(DamagedHome.leftPrefix)\($0.rawValue)-1" })

  let folder: URL
  /// The area that maps are made of.
  let id: String
  /// What the map is when it is whole.
  private(set) var shape: MapShape?
  /// The edits in the maps that have some.
  private(set) var edits = EditLedger()

  init(folder: URL, id: String) {
    (self.folder, self.id) = (folder, id)
  }

  subscript(_ name: String) -> HomeLayout {
    HomeLayout(home: folder.appending(path: name, directoryHint: .isDirectory))
  }

  /// The home that an act begins with.
  func start(of act: SweptAct) -> HomeLayout {
    switch act {
    case .download: self["empty"]
    case .takeBack, .edit, .delete, .update: self["stored"]
    case .importPackage: self["importing"]
    case .importReplacing: self["imported"]
    case .repair: self["damaged"]
    case .export: self["exporting"]
    case .restoreKept: self["kept"]
    case .rollBack: self["updated"]
    case .updateWithEdits: self["edited"]
    }
  }

  /// The edits in the map in hand when an act begins.
  func edits(before act: SweptAct) -> EditLedger {
    switch act {
    case .repair, .export, .restoreKept, .rollBack, .updateWithEdits: edits
    case .download, .takeBack, .edit, .delete, .update, .importPackage, .importReplacing:
      EditLedger()
    }
  }

  /// Makes those for which the portal has the first version.
  ///
  /// - Parameter finish: Does something in a home, undisturbed.
  /// - Throws: An error if a home cannot be copied, and what `finish` throws.
  mutating func makeFirst(
    _ finish: (CrashAct, HomeLayout) async throws -> ChildEnding
  ) async throws {
    let empty = self["empty"]
    try empty.prepare()
    _ = try await SQLiteMapStorage.open(at: empty.catalogue)
    try copy("empty", to: "stored")
    _ = try await finish(.download, self["stored"])
    shape = try await MapOpening(folder: self["stored"].home).contents(of: place(in: "stored"))
      .shape
    try copy("stored", to: "edited")
    edits.add(try await finish(.edit, self["edited"]))
    try await makePackages(finish)
    try await makeDamaged(finish)
  }

  /// Those with packages: that of the map without edits is replaced by that of the map with edits.
  private func makePackages(
    _ finish: (CrashAct, HomeLayout) async throws -> ChildEnding
  ) async throws {
    for (source, name) in [("stored", "plain"), ("edited", "changed")] {
      try copy(source, to: name)
      _ = try await finish(.export, self[name])
    }
    try copy("edited", to: "exporting", packagesOf: "plain")
    try copy("stored", to: "importing", packagesOf: "changed")
    try copy("stored", to: "importing-plain", packagesOf: "plain")
    _ = try await finish(.bringIn, self["importing-plain"])
    try copy("importing-plain", to: "imported", packagesOf: "changed")
  }

  /// Those with what is repaired, among it edits that nothing else knows, and with these set aside.
  private func makeDamaged(
    _ finish: (CrashAct, HomeLayout) async throws -> ChildEnding
  ) async throws {
    try copy("edited", to: "damaged")
    let damaged = self["damaged"]
    try DamagedHome(layout: damaged).damage()
    try FileManager.default.copyItem(at: place(in: "damaged"), to: damaged.staging(Self.job))
    try copy("damaged", to: "kept")
    _ = try await finish(.repair, self["kept"])
  }

  /// Makes the one with an update that has taken edits over, of which the portal has a newer package.
  func makeUpdated(
    _ finish: (CrashAct, HomeLayout) async throws -> ChildEnding
  ) async throws {
    try copy("edited", to: "updated")
    _ = try await finish(.update, self["updated"])
  }

  private func place(in name: String) -> URL {
    self[name].folder(.maps).appending(path: "\(id)/1", directoryHint: .isDirectory)
  }

  private func copy(_ name: String, to other: String, packagesOf exported: String? = nil) throws {
    try HomeCopy.make(of: self[name].home, at: self[other].home)
    guard let exported else { return }
    try HomeCopy.make(
      of: ExportedPackage.folder(beside: self[exported].home),
      at: ExportedPackage.folder(beside: self[other].home))
  }
}
