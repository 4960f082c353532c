import Foundation
import Glibc
import PortolanFiles
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanLibrary

/// The files that are deleted, removed and put back, in order.
@Suite(.temporaryDirectory) struct ClearedUpTests {
  private func edit(_ map: StoredMap, _ bed: LibraryBed) async throws {
    let lease = try await bed.library().open(map.id)
    try await bed.library().beginEditing(lease)
    try Edits.add("mine", to: bed.geodatabase(of: map))
    lease.endEditing()
  }

  @Test func `What a killed import has left goes at the next start, but not what is held or new`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for name in ["import-held", "import-left", "import-new", "job"] {
      let folder = bed.layout.staging(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("half".utf8).write(to: folder.appending(path: "a.mmpk"))
      let age: TimeInterval = name == "import-new" ? 1 : 3_600
      try FileManager.default.setAttributes(
        [.modificationDate: LibraryBed.day.addingTimeInterval(-age)],
        ofItemAtPath: folder.path(percentEncoded: false))
    }
    let held = bed.layout.staging("import-held")
    let hold = try #require(try await bed.library().hold(staged: held))
    try await bed.library().recover()
    let left = bed.layout.contents(of: .staging).map(\.lastPathComponent)
    #expect(left == ["import-held", "import-new", "job"])
    #expect(bed.layout.contents(of: .trash) == [])
    hold.release()
    try await bed.library().recover()
    #expect(!FileSystem.live.exists(held))
  }

  @Test func `What a killed rollback was copying goes at the next start`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let second = try await bed.install(info: "two", in: bed.library())
    let left = bed.layout.place(of: first).appending(path: ".portolan-carrying")
    try FileSystem.live.createFolder(left)
    // Its content would count as edits of the version, and keep the map from being deleted.
    let copy = left.appending(path: "data.geodatabase")
    try Edits.makeDatabase(at: copy)
    try Edits.add("mine", to: copy)
    try await bed.library().recover()
    #expect(!FileSystem.live.exists(left))
    #expect(try bed.info(of: first) == "one")
    try await bed.library().delete(second.id)
  }

  @Test func `A map is not deleted while its previous version is being read`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    let lease = try await bed.library().open(first.id)
    let second = try await bed.install(info: "two", in: bed.library())
    let refusal = LibraryError.inUse(map: second.title, by: "this program")
    await #expect(throws: refusal) { try await bed.library().delete(second.id) }
    await #expect(throws: refusal) { _ = try await bed.library().deletion(of: second.id) }
    #expect(try bed.info(of: lease.map) == "one")
    #expect(try await bed.library().maps() == [second])
  }

  @Test func `What an older home has deleted with edits is set aside when the map is stored again`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let trash = bed.layout.folder(.trash).appending(path: "a")
    try LibraryBed.write(trash)
    try Edits.add("mine", to: trash.appending(path: LibraryBed.path))
    var deleted = try bed.record()
    deleted.deleted = LibraryBed.day
    try await bed.storage.save(deleted)
    try await bed.install(info: "new", in: bed.library())
    let kept = try #require(try await bed.library().keptMaps().first)
    #expect(kept.isDeleted && kept.mapName == "a")
    let path = try #require(kept.geodatabases.first)
    #expect(try Edits.texts(in: kept.url.appending(path: path)) == ["mine"])
  }

  @Test func `Edits in the trash outlast a second deletion of the same map`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await edit(first, bed)
    try await bed.library().delete(first.id, discardingEdits: true)
    let trash = bed.layout.trashPlace(of: first).plainPath
    // It cannot be set aside as the map is stored again.
    let disk = FileSystem { call in
      if case .move(let path, _) = call, path == trash { EIO } else { nil }
    }
    let second = try await bed.install(info: "two", in: bed.library(files: disk))
    #expect(FileSystem.live.exists(bed.layout.trashPlace(of: first)))
    try await bed.library().delete(second.id, discardingEdits: true)
    let kept = try await bed.library().keptMaps()
    #expect(kept.map(\.isDeleted) == [true])
    let database = try #require(kept.first?.geodatabases.first)
    #expect(try Edits.texts(in: #require(kept.first).url.appending(path: database)) == ["mine"])
    #expect(FileSystem.live.exists(bed.layout.deletedPlace(of: second)))
  }

  @Test func `A deleted map whose files are missing is not reported as restored`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    try FileManager.default.removeItem(at: bed.layout.trashPlace(of: map))
    await #expect(throws: LibraryError.filesMissing(map: map.title)) {
      try await bed.library().undoDeletion(of: map.id)
    }
    #expect(try await bed.library().maps().isEmpty)
  }

  @Test func `The files of a deleted map go before its record`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    let catalogue = bed.layout.catalogue
    let counts = Mutex<[Int64]>([])
    let library = bed.library(report: { step in
      guard step == .removeNamed else { return }
      do {
        let connection = try Connection(at: catalogue, access: .readOnly)
        let query = try connection.query("SELECT count(*) FROM stored_map")
        if try query.step() { counts.withLock { $0.append(query.integer(at: 0)) } }
      } catch {
        Issue.record(error)
      }
    })
    #expect(try await library.emptyTrash() > 0)
    #expect(counts.withLock { $0 } == [1])
    #expect(try await library.deletedMaps().isEmpty)
  }

  @Test func `A removed file has a name that says so before its first part is deleted`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let home = bed.layout.home.plainPath
    let removed = Mutex<Set<String>>([])
    let disk = FileSystem { call in
      guard case .remove(let path) = call, path.hasPrefix(home) else { return nil }
      _ = removed.withLock { $0.insert(path) }
      return nil
    }
    let library = bed.library(files: disk)
    try LibraryBed.write(bed.layout.folder(.kept).appending(path: "b-1"))
    #expect(try await library.deleteKept("b-1") > 0)
    _ = try bed.staged("cancelled")
    try await library.removeStaged("cancelled")
    let paths = removed.withLock { $0 }
    #expect(paths.count > 8)
    #expect(paths.allSatisfy { $0.contains("/trash/") && $0.contains(".removed") })
  }

  @Test func `Work not finished at the start is finished before the next change`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    let draft = bed.layout.migrationDraft(of: try #require(MapID("z")))
    try LibraryBed.write(draft)
    let fails = Mutex(true)
    let disk = FileSystem { call in
      guard case .move(let path, _) = call, path.hasPrefix(draft.plainPath) else { return nil }
      return fails.withLock { $0 } ? EIO : nil
    }
    let library = bed.library(retention: 0, files: disk)
    await #expect(throws: LibraryError.self) { try await library.recover() }
    #expect(try await library.deletedMaps().count == 1)
    fails.withLock { $0 = false }
    try await library.reclaimSpace()
    #expect(try await library.deletedMaps().isEmpty)
    #expect(!FileSystem.live.exists(draft))
  }

  @Test func `What cannot be removed keeps nothing of the same name from being removed`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let trash = bed.layout.folder(.trash)
    let stuck = trash.appending(path: "trash-a.removed/a").plainPath
    let disk = FileSystem { $0 == .remove(stuck) ? EIO : nil }
    let library = bed.library(files: disk)
    let left = trash.appending(path: "trash-a.removed")
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: left.appending(path: "a"))
    let map = try await bed.install(in: library)
    try await library.delete(map.id)
    #expect(try await library.emptyTrash() > 0)
    #expect(bed.layout.contents(of: .trash).map(\.lastPathComponent) == ["trash-a.removed"])
    #expect(try await library.deletedMaps().isEmpty)
  }

  @Test func `A day of use begins at midnight, and counts once`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let midnight = Date(timeIntervalSince1970: 86_400 * 20_000)
    for (seconds, count) in [(-1.0, 1), (0, 2), (86_399, 2), (86_400, 3), (86_401, 3)] {
      let day = try await bed.library(now: midnight + seconds).dayOfUse()
      #expect(day == count, "\(seconds) seconds after")
    }
  }

  @Test func `A clock that goes back with every start and is set again does not empty the trash`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let first = try await bed.install(in: bed.library())
    try await bed.install(info: "two", in: bed.library())
    let other = try await bed.install("b", in: bed.library())
    try await bed.library().delete(other.id)
    for _ in 1...40 {
      try await bed.library(now: Date(timeIntervalSince1970: 0)).recover()
      try await bed.library().recover()
    }
    try await bed.library().undoDeletion(of: other.id)
    #expect(try await bed.library().earlierVersions(of: first.id).map(\.number) == [1])
  }

  @Test func `The days of a map that an older home deleted are counted from now on`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    for day in 1...40 { _ = try await bed.storage.recordUse(onDay: day) }
    let trash = bed.layout.folder(.trash).appending(path: "a")
    try LibraryBed.write(trash)
    var deleted = try bed.record()
    deleted.deleted = LibraryBed.day
    try await bed.storage.save(deleted)
    for day in 0...30 {
      #expect(FileSystem.live.exists(trash), "day \(day)")
      let now = LibraryBed.day.addingTimeInterval(86_400 * TimeInterval(day))
      try await bed.library(now: now).recover()
    }
    #expect(!FileSystem.live.exists(trash))
  }

  @Test func `A deletion dated after the days that the home knows gets a new date`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.library().delete(map.id)
    // The catalogue is an older one than the record, as after a backup was put back.
    var deleted = try #require(try await bed.storage.storedMap(map.id))
    deleted.deletedOn = 1_000
    try await bed.storage.save(deleted)
    let trash = bed.layout.trashPlace(of: map)
    for day in 0...30 {
      #expect(FileSystem.live.exists(trash), "day \(day)")
      let now = LibraryBed.day.addingTimeInterval(86_400 * TimeInterval(day))
      try await bed.library(now: now).recover()
    }
    #expect(!FileSystem.live.exists(trash))
  }

  @Test func `A folder outside of the home is not taken for what a job has staged`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let folder = temporaryDirectory.appending(path: "mine")
    try LibraryBed.write(folder)
    let refusal = LibraryError.notOurs(file: folder.path(percentEncoded: false))
    await #expect(throws: refusal) {
      try await bed.library().install(folder, as: bed.record())
    }
    #expect(FileSystem.live.exists(folder.appending(path: LibraryBed.path)))
    #expect(try await bed.library().maps().isEmpty)
  }

  @Test
  func `Opening a map without files says so, and opening one that is moved says it is in use`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library(clock: CountingClock())
    let map = try await bed.install(in: library)
    let place = bed.layout.place(of: map)
    let lock = try #require(try FileLock.attempt(.exclusive, on: .item(place), in: .live))
    await #expect(throws: LibraryError.inUse(map: map.title, by: "this program")) {
      _ = try await library.open(map.id)
    }
    lock.release()
    try FileManager.default.removeItem(at: place)
    await #expect(throws: LibraryError.filesMissing(map: map.title)) {
      _ = try await library.open(map.id)
    }
  }

  @Test func `Remains of an earlier removal do not prevent removing`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let staged = try bed.staged()
    let left = bed.layout.condemnedPlace(of: staged)
    try LibraryBed.write(left)
    try await bed.library().remove(staged)
    #expect(!FileSystem.live.exists(staged) && !FileSystem.live.exists(left))
  }

  @Test func `A package is not deleted while its previous version is being read`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var record = try bed.record()
    record.form = .file
    func install(_ number: Int) async throws -> StoredMap {
      let file = bed.layout.staging("package-\(number)").appending(path: "a.mmpk")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("package \(number)".utf8).write(to: file)
      let map = try await bed.library().install(file, as: record)
      #expect(try await bed.library().versions(of: record.id).map(\.number) == Array(1...number))
      return map
    }
    _ = try await install(1)
    let lease = try await bed.library().open(record.id)
    let second = try await install(2)
    await #expect(throws: LibraryError.inUse(map: second.title, by: "this program")) {
      try await bed.library().delete(record.id)
    }
    #expect(try await bed.library().maps() == [second])
    #expect(FileSystem.live.exists(lease.url))
  }

  @Test func `A question whether to delete a map mentions its edits`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let bytes = try await bed.library().deletion(of: map.id)
    #expect(bytes > 5_000)
    try Edits.add("mine", to: bed.geodatabase(of: map))
    await #expect(throws: LibraryError.unsentEdits(map: map.title, count: 1)) {
      try await bed.library().deletion(of: map.id)
    }
    #expect(try await bed.library().deletion(of: map.id, discardingEdits: true) >= bytes)
    #expect(try await bed.library().maps() == [map])
  }

  @Test func `A version of another form than the current one is found again in its own`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    var record = try bed.record()
    record.form = .file
    let file = bed.layout.staging("package").appending(path: "a.mmpk")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("package".utf8).write(to: file)
    let first = try await bed.library().install(file, as: record)
    let second = try await bed.install(in: bed.library())
    #expect(second.form == .folder && second.version == 2)
    try await bed.storage.removeVersion(1, of: first.id)
    try await bed.library().removeStaged("package")
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(findings.map(\.repair) == ["Record it as an earlier version."])
    #expect(await audit.repair(findings).isEmpty)
    #expect(try await bed.library().rollBack(first.id).form == .file)
    #expect(try await bed.library().open(first.id).url == bed.layout.place(of: first))
  }

  @Test func `A package of an older home keeps its name until the new one is on the disk`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let flat = bed.layout.folder(.packages).appending(path: "a.mmpk")
    try Data("package".utf8).write(to: flat)
    var map = try bed.record()
    map.form = .file
    try await bed.storage.save(map)
    let container = bed.layout.container(of: map.id, .file)
    let (path, place) = (container.plainPath, container.appending(path: "1.mmpk"))
    let disk = FileSystem { call in
      call == .sync(path) && FileSystem.live.exists(place) ? EIO : nil
    }
    try await bed.library(files: disk).recover()
    #expect(try await bed.library().maps() == [map])
    #expect(FileSystem.live.exists(flat))
    try await bed.library().recover()
    #expect(try await bed.library().maps().map(\.version) == [1])
    #expect(!FileSystem.live.exists(flat) && FileSystem.live.exists(place))
  }

  @Test func `Where others cannot be excluded, nothing is recovered`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    var deleted = map
    deleted.deleted = LibraryBed.day
    try await bed.storage.save(deleted)
    let disk = FileSystem { call in if case .lock = call { ENOLCK } else { nil } }
    try await bed.library(files: disk).recoverUnlessBusy()
    #expect(FileSystem.live.exists(bed.layout.place(of: map)))
    try await bed.library().recoverUnlessBusy()
    #expect(!FileSystem.live.exists(bed.layout.place(of: map)))
    #expect(FileSystem.live.exists(bed.layout.deletedPlace(of: map)))
  }

  @Test func `Something unknown in the place of a map is set aside, not removed`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.container(of: try bed.record().id, .folder)
    try LibraryBed.write(container)
    try Edits.add("mine", to: container.appending(path: LibraryBed.path))
    let map = try await bed.install(info: "new", in: bed.library())
    #expect(try bed.info(of: map) == "new")
    let kept = try #require(try await bed.library().keptMaps().first)
    #expect(try Edits.texts(in: kept.url.appending(path: LibraryBed.path)) == ["mine"])
  }

  @Test func `The tenth version comes after the ninth`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let container = bed.layout.container(of: try bed.record().id, .folder)
    for number in [10, 9, 2] { try LibraryBed.write(container.appending(path: "\(number)")) }
    #expect(try bed.layout.versions(in: container).map(\.number) == [2, 9, 10])
  }

  @Test func `Events of a removed map are not reported for the next one with its id`() async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    try await bed.install(info: "two", in: bed.library())
    try await bed.library().delete(map.id)
    try await bed.library().emptyTrash()
    #expect(try await bed.storage.versions(of: map.id).isEmpty)
    let next = try await bed.install(in: bed.library())
    #expect(try await bed.storage.versions(of: map.id).map(\.number) == [next.version])
    #expect(try await bed.storage.versions(of: map.id).map(\.isEdited) == [false])
  }

  @Test func `A half-removed map is removed by a repair`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let half = bed.layout.folder(.trash).appending(path: "maps-a.removed")
    try LibraryBed.write(half)
    let audit = bed.audit(bed.library())
    let findings = try await audit.findings()
    #expect(findings.map(\.sentence) == ["Removing maps-a.removed was interrupted."])
    #expect(await audit.repair(findings).isEmpty)
    #expect(!FileSystem.live.exists(half))
  }
}
