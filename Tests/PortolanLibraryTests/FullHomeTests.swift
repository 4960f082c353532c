import Foundation
import PortolanFiles
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// Homes on a full disk, and on one that can only be read.
@Suite(.temporaryDirectory, .needsMounting) struct FullHomeTests {
  /// Takes every byte that is free.
  private func fill(_ folder: URL) throws {
    for size in [1 << 20, 1 << 16, 1 << 12, 64] {
      for number in 0... {
        let file = folder.appending(path: "filling-\(size)-\(number)")
        do { try Data(count: size).write(to: file) } catch {
          try? FileManager.default.removeItem(at: file)
          break
        }
      }
    }
  }

  /// Gives the bytes back that were taken.
  private func emptied(_ folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("filling-") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
  }

  private func library(_ layout: HomeLayout) async throws -> MapLibrary {
    MapLibrary(
      layout: layout, storage: try await SQLiteMapStorage.open(at: layout.catalogue),
      now: { LibraryBed.day }, unsentEdits: { try Edits.count(in: $0) })
  }

  private func install(in folder: URL) async throws -> StoredMap {
    let bed = try await LibraryBed(in: folder)
    return try await bed.install(in: bed.library())
  }

  @Test func `With no byte free maps are listed, opened, and deleted to make space`() async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let map = try await install(in: disk.url)
    let layout = HomeLayout(home: disk.url.appending(path: "home"))
    try fill(disk.url)
    #expect(FreeSpace.byteCount(at: disk.url) ?? 0 < 4_096)
    let library = try await library(layout)
    #expect(try await library.maps() == [map])
    let id = map.id
    do {
      let lease = try await library.open(id)
      #expect(try Edits.texts(in: lease.url.appending(path: LibraryBed.path)) == [])
    }
    try await library.delete(id)
    try await library.emptyTrash()
    #expect(try await library.deletedMaps().isEmpty)
    #expect(FreeSpace.byteCount(at: disk.url) ?? 0 > 4_096)
  }

  @Test func `With no byte free a job is cancelled, which makes space`() async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    let id = try #require(JobID("job"))
    _ = try await bed.storage.add(
      Job(
        id: id, kind: "k", subject: "s", title: "S", parameters: Data(), created: LibraryBed.day,
        position: 0))
    let staged = try bed.staged()
    try fill(disk.url)
    let request = try await bed.storage.post(.cancel, to: id)
    let answered = try await bed.storage.answerRequests(of: id, at: LibraryBed.day)
    var job = try #require(answered)
    #expect(job.state == .cancelling)
    try await bed.library().discardStaged("job")
    #expect(!FileSystem.live.exists(staged))
    job.state = .cancelled
    try await bed.storage.record(job, answering: request.number)
    #expect(try await bed.storage.job(id)?.state == .cancelled)
  }

  @Test func `With no byte free a damaged catalogue is rebuilt`() async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let map = try await install(in: disk.url)
    let layout = HomeLayout(home: disk.url.appending(path: "home"))
    do {
      let connection = try Connection(at: layout.catalogue, access: .readWrite)
      try connection.execute("DROP TABLE job")
    }
    try fill(disk.url)
    #expect(try await CatalogueRepair(layout).rebuild() != nil)
    let library = try await library(layout)
    #expect(try await library.maps() == [map])
    try await library.delete(map.id)
    try await library.emptyTrash()
    #expect(FreeSpace.byteCount(at: disk.url) ?? 0 > 4_096)
  }

  @Test func `A disk that is full again and again lets maps be deleted each time`() async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    for id in ["a", "b", "c"] { try await bed.install(id, in: bed.library()) }
    let library = try await library(HomeLayout(home: disk.url.appending(path: "home")))
    for map in try await library.maps() {
      try fill(disk.url)
      try await library.delete(map.id)
      try await library.emptyTrash()
      try emptied(disk.url)
      // Something is written while there is room.
      try await library.storage.removeKnownMap("w")
    }
    #expect(try await library.maps().isEmpty)
  }

  @Test func `On a full disk the version before is forgotten, though that makes no room`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    let first = try await bed.library().install(
      bed.staged("first", hasGeodatabase: false), as: bed.record())
    // All files have a name in both versions, so that removing one makes no room.
    try await bed.library().reuse(first.id, in: "update")
    let map = try await bed.library().install(bed.layout.staging("update"), as: bed.record())
    try fill(disk.url)
    let library = try await library(HomeLayout(home: disk.url.appending(path: "home")))
    try await library.reclaimSpace()
    #expect(try await library.storage.versions(of: map.id).map(\.number) == [map.version])
  }

  @Test func `On a full disk each new day of use is counted, without which nothing can be deleted`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    try fill(disk.url)
    for day in 1...20 { #expect(try await bed.storage.recordUse(onDay: day) == day) }
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `On a full disk a job starts from nothing, and from all of a map once there is room`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    let map = try await bed.install(in: bed.library())
    try Edits.add("mine", to: bed.geodatabase(of: map))
    try fill(disk.url)
    let error = await #expect(throws: LibraryError.self) {
      try await bed.library().reuse(map.id, in: "update")
    }
    guard case .diskFull? = error else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    #expect(!FileSystem.live.exists(bed.layout.staging("update")))
    try emptied(disk.url)
    try await bed.library().reuse(map.id, in: "update")
    let copy = bed.layout.staging("update").appending(path: LibraryBed.path)
    #expect(try Edits.texts(in: copy) == ["mine"])
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  /// A library that finds the disk full once a map has taken its place.
  private func fullOnceMoved(_ bed: LibraryBed, _ disk: URL) -> MapLibrary {
    bed.library(report: { step in
      guard step == .installMoved else { return }
      do { try fill(disk) } catch { Issue.record(error) }
    })
  }

  @Test func `A map that has its place is recorded with the space that was set aside`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    let map = try await bed.install(in: fullOnceMoved(bed, disk.url))
    #expect(FreeSpace.byteCount(at: disk.url) ?? 0 < 256 << 10)
    #expect(try await bed.library().maps() == [map])
    // It can be deleted still.
    try await bed.library().delete(map.id)
    try await bed.library().emptyTrash()
    #expect(try await bed.library().deletedMaps().isEmpty)
  }

  @Test func `A map that has its place and cannot be recorded is stored, and that is said`()
    async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    let staged = try bed.staged()
    for number in 0..<500 {
      try Data("x".utf8).write(to: staged.appending(path: "p13/a rather long name \(number).json"))
    }
    let library = fullOnceMoved(bed, disk.url)
    _ = bed.layout.reserve.release()
    // Whatever is free is taken before anything is set aside again.
    try FileManager.default.createDirectory(
      at: bed.layout.home.appending(path: ".reserve"), withIntermediateDirectories: false)
    await #expect(throws: LibraryError.notRecorded(map: "Map a")) {
      try await library.install(staged, as: bed.record())
    }
    let error = LibraryError.notRecorded(map: "Map a")
    #expect(error.errorDescription?.contains("is stored") == true)
    #expect(error.recoverySuggestion?.contains("next start") == true)
    #expect(!FileSystem.live.exists(staged))
    #expect(try await library.maps().isEmpty)
    try emptied(disk.url)
    // Whatever is changed next records it, also in the same process.
    try await library.reclaimSpace()
    #expect(try await library.maps().map(\.title) == ["Map a"])
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `What was set aside and has its place is no longer listed as set aside`() async throws
  {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: disk.url)
    let kept = bed.layout.folder(.kept).appending(path: "a-1")
    try LibraryBed.write(kept.appending(path: "1"))
    for number in 0..<500 {
      try Data("x".utf8).write(
        to: kept.appending(path: "1/p13/a rather long name \(number).json"))
    }
    let library = fullOnceMoved(bed, disk.url)
    _ = bed.layout.reserve.release()
    try FileManager.default.createDirectory(
      at: bed.layout.home.appending(path: ".reserve"), withIntermediateDirectories: false)
    await #expect(throws: LibraryError.notRecorded(map: "one")) {
      try await bed.audit(library).putBack("a-1")
    }
    try emptied(disk.url)
    try await library.reclaimSpace()
    #expect(try await library.maps().map(\.title) == ["one"])
    #expect(try await library.keptMaps().isEmpty)
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test(arguments: [HomeLayout.Folder.maps, .packages])
  func `A home on several disks refuses a map before anything is copied`(
    _ folder: HomeLayout.Folder
  ) async throws {
    let disk = try SmallDisk(at: temporaryDirectory.appending(path: "disk"), megabytes: 8)
    let bed = try await LibraryBed(in: temporaryDirectory)
    let library = bed.library()
    let form: StoredMap.Form = folder == .maps ? .folder : .file
    let id = try bed.record().id
    try await library.requirePlace(for: id, form)
    let place = bed.layout.folder(folder)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: disk.url)
    try bed.layout.prepare()
    let refusal = LibraryError.unwritable(file: place.plainPath, reason: FileError.otherDisk)
    await #expect(throws: refusal) { try await library.requirePlace(for: id, form) }
    let source = temporaryDirectory.appending(path: "source")
    if form == .folder {
      try LibraryBed.write(source)
    } else {
      try Data("package".utf8).write(to: source)
    }
    await #expect(throws: refusal) { try await library.stageCopy(of: source, for: "import-1") }
    #expect(bed.layout.contents(of: .staging).isEmpty)
    // The other folder is on the disk of the home.
    try await library.requirePlace(for: id, form == .folder ? .file : .folder)
    #expect(disk.url.isFileURL, "it is mounted all the time")
  }

  @Test func `On a medium that can only be read maps are listed and opened`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let map = try await bed.install(in: bed.library())
    let home = bed.layout.home
    let medium = try ReadOnlyMedium(at: temporaryDirectory.appending(path: "medium")) { url in
      try FileManager.default.copyItem(at: home, to: url.appending(path: "home"))
    }
    let library = try await library(HomeLayout(home: medium.url.appending(path: "home")))
    #expect(library.storage.readOnlyReason != nil)
    try await library.recover()
    #expect(try await library.maps() == [map])
    let lease = try await library.open(map.id)
    #expect(try Edits.texts(in: lease.url.appending(path: LibraryBed.path)) == [])
    let file = library.layout.catalogue.path(percentEncoded: false)
    let error = LibraryError.readOnlyHome(
      file: file, reason: "it may not be written to, or its medium can only be read")
    // It is open; closed, it would be the medium that keeps it.
    await #expect(throws: LibraryError.self) { try await library.delete(map.id) }
    await #expect(throws: error) { try await library.rollBack(map.id) }
    await #expect(throws: error) { try await library.beginEditing(lease) }
    // Whoever asks for a job is told the same, once.
    let job = Job(
      id: try #require(JobID("a")), kind: "a", subject: "b", title: "c", parameters: Data(),
      created: .distantPast, position: 0)
    await #expect(throws: JobError.journal(file: file, reason: error.clause)) {
      try await library.storage.add(job)
    }
    #expect(try await library.maps() == [map])
    #expect(medium.url.isFileURL, "it is mounted all the time")
  }
}
