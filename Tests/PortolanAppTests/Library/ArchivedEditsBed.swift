import Foundation
import PortolanArchives
import PortolanFeatures
import PortolanFiles
import PortolanGeoPackage
import PortolanGeodatabase
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanMap
import PortolanOffline
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTransport

@testable import PortolanApp

/// A library, and archives that hold edits which were not sent.
@MainActor
struct ArchivedEditsBed {
  private nonisolated static let day = HomeLibrary.testDay

  func model(
    free: @escaping @Sendable (URL) -> Int? = { _ in nil }, files: FileSystem = .live
  ) async throws -> MapListModel {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let maps = MapLibrary(
      layout: layout, storage: InMemoryMapStorage(), now: { Self.day },
      unsentEdits: { try await UnsentEdits.count(in: $0) }, files: files, report: { _ in })
    let opener = FilePackageOpener(
      unpackingInto: temporaryDirectory.appending(path: "unpacked"), now: { Self.day })
    let check: OfflineEnvironment.Check = { url in
      try await PackageVerifier().verify(url)
      return try await opener.open(url).info.title
    }
    let library = HomeLibrary(testing: maps, packages: opener, check: check, freeSpace: free)
    let model = MapListModel(
      library: library,
      portals: NoPortal(), monitor: FixedNetworkMonitor(.offline(.asked)))
    try await model.load()
    return model
  }

  /// The place of edits in a package.
  enum Place: CaseIterable {
    /// A table that keeps its history.
    case history
    /// A table without history, whose edits stand in a journal in the same file.
    case journal
    /// A GeoPackage that no layer shows.
    case geoPackage
    /// A write-ahead log that lies beside its database.
    case log
  }

  private func definition(isTracked: Bool) -> GeodatabaseDefinition {
    var fields = [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("TEXT", .string, length: 20),
    ]
    if isTracked {
      fields.append(Field("GlobalID", .globalID, isNullable: false, isEditable: false))
    }
    var schema = FeatureTableSchema(name: "Notes", fields: fields)
    schema.isChangeTracked = isTracked
    return GeodatabaseDefinition(name: "Notes", tables: [.init(schema)])
  }

  private func add(_ count: Int, to store: any EditableFileStore) async throws {
    for number in 0..<count {
      let note = NewFeature(attributes: ["TEXT": .text("\(number)")], geometry: nil)
      _ = try await store.apply([.add(note, table: "Notes")])
    }
  }

  /// The files of a package, by their names.
  func files(_ count: Int, in place: Place) async throws -> [String: Data] {
    let folder = temporaryDirectory.appending(path: "data", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "notes.geodatabase")
    let other = folder.appending(path: "other.gpkg")
    let isTracked = place == .history || place == .log
    try GeodatabaseWriter(at: file, definition(isTracked: isTracked), now: Self.day) { UUID() }
      .finish()
    var files: [String: Data] = [:]
    switch place {
    case .history, .journal:
      let store = try EditableGeodatabase.open(at: file, now: { Self.day }, makeID: { UUID() })
      try await add(count, to: store)
      await store.close()
    case .geoPackage:
      try GeoPackageWriter(at: other, definition(isTracked: false), now: Self.day) { UUID() }
        .finish()
      let store = try EditableGeoPackage.open(at: other, now: { Self.day }, makeID: { UUID() })
      try await add(count, to: store)
      await store.close()
      files["other.gpkg"] = try Data(contentsOf: other)
    case .log:
      // As a copy is that was made while somebody edited.
      let store = try EditableGeodatabase.open(at: file, now: { Self.day }, makeID: { UUID() })
      try await add(count, to: store)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where name.hasSuffix("-wal") || name.hasSuffix("-journal") {
        files[name] = try Data(contentsOf: folder.appending(path: name))
      }
      files["notes.geodatabase"] = try Data(contentsOf: file)
      await store.close()
      return files
    }
    files["notes.geodatabase"] = try Data(contentsOf: file)
    return files
  }

  /// The number of edits in a geodatabase itself, without the files beside it.
  func editCount(ofFileWithoutLog url: URL) async throws -> Int {
    let copy = temporaryDirectory.appending(path: "alone.geodatabase")
    try FileManager.default.copyItem(at: url, to: copy)
    let store = try EditableGeodatabase.open(at: copy, now: { Self.day }, makeID: { UUID() })
    let count = try await store.localChanges().changes.count
    await store.close()
    return count
  }

  /// An archive of a map that shows the notes in it.
  func archive(
    _ name: String = "town.mmpk", of files: [String: Data]
  ) throws -> URL {
    let webMap = try WebMap(json: [
      "baseMap": ["title": "", "baseMapLayers": []],
      "operationalLayers": [
        ["id": "notes", "title": "Notes", "path": "file:./notes.geodatabase?itemId=0"]
      ],
    ])
    let folder = temporaryDirectory.appending(path: "made-\(name)", directoryHint: .isDirectory)
    let notes = folder.appending(path: "notes.geodatabase")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data().write(to: notes)
    let package = folder.appending(path: "package", directoryHint: .isDirectory)
    try MobileMapPackageWriter(
      MobileMapPackageDescription(name: "town", title: "Town", guid: Self.guid, created: Self.day),
      maps: [NewMobileMap(name: "Map", id: Self.guid, webMap: webMap)], files: [notes]
    ).writeFolder(to: package)
    for (name, data) in files { try data.write(to: package.appending(path: "p13/\(name)")) }
    let url = temporaryDirectory.appending(path: name)
    var archive = try ZIPWriter(replacing: url)
    for path in try FileManager.default.subpathsOfDirectory(atPath: package.path).sorted()
    where try FileStatus(at: package.appending(path: path))?.kind == .file {
      try archive.add(path, Data(contentsOf: package.appending(path: path)))
    }
    try archive.add("p13/.portolan-hidden", Data("hidden".utf8))
    try archive.finish()
    return url
  }

  private nonisolated static let guid = UUID(
    uuid: (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7))

  func staged() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.appending(path: "home/staging").path
    ).filter { !$0.hasPrefix(".") }
  }

  /// Stores an archive as it is, as older Portolans did.
  func store(_ url: URL, in model: MapListModel) async throws -> StoredMap {
    let maps = model.library.maps
    let job = HomeLayout.importJob(UUID())
    let copy = try await maps.stageCopy(of: url, for: job)
    let map = try await maps.install(
      copy.url,
      as: StoredMap(
        id: MapID(UUID()), origin: .imported(url.lastPathComponent), form: .file, title: "Town",
        installed: Self.day, byteCount: copy.byteCount), knowing: copy.files)
    try await maps.removeStaged(job)
    try await model.load()
    return map
  }
}
