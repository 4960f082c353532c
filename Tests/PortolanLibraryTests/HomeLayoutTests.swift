import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

@Suite(.temporaryDirectory) struct HomeLayoutTests {
  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory) }

  private func indexes(_ names: String...) throws -> URL {
    let folder = temporaryDirectory.appending(path: "indexes", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in names { try Data("x".utf8).write(to: folder.appending(path: name)) }
    return folder
  }

  @Test func `The indexes of an earlier version are removed with their folder`() throws {
    let folder = try indexes("1-2.sideindex", "1-3.sideindex")
    try layout.prepare()
    #expect(!FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
  }

  @Test func `A folder called indexes keeps whatever else is in it`() throws {
    let folder = try indexes("1-2.sideindex", "notes.txt")
    try layout.prepare()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    #expect(names == ["notes.txt"])
  }

  @Test func `A home that was copied is another one, and one that was moved is the same`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let identity = try await bed.library().homeIdentity()
    let copy = temporaryDirectory.appending(path: "copy")
    try FileManager.default.copyItem(at: bed.layout.home, to: copy)
    let other = try #require(HomeLayout(home: copy).identity)
    #expect(other != identity)
    let moved = temporaryDirectory.appending(path: "moved")
    try FileManager.default.moveItem(at: bed.layout.home, to: moved)
    #expect(HomeLayout(home: moved).identity == identity)
  }

  @Test func `A home is closed to others, and some folder that is to become one is not`() throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    let files = FileManager.default
    try files.createDirectory(at: layout.home, withIntermediateDirectories: true)
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: layout.home.path)
    try Data("mine".utf8).write(to: layout.home.appending(path: "notes.txt"))
    try layout.prepare()
    #expect(FileStatus(layout.home)?.permissions == 0o755)
    for folder in HomeLayout.Folder.allCases {
      let url = layout.folder(folder)
      #expect(FileStatus(url)?.permissions == 0o700, "\(folder)")
      #expect(FileStatus(url.appending(path: HomeLayout.marker))?.byteCount == 0, "\(folder)")
    }
    // It is a home now; what lies in it stays.
    let part = layout.folder(.maps).appending(path: "a")
    try Data("map".utf8).write(to: part)
    try layout.prepare()
    #expect(FileStatus(layout.home)?.permissions == 0o700)
    #expect(try Data(contentsOf: part) == Data("map".utf8))
    #expect(FileSystem.live.exists(layout.home.appending(path: "notes.txt")))
  }

  @Test(arguments: HomeLayout.Folder.allCases)
  func `A folder that somebody uses does not become one of Portolan's`(
    _ folder: HomeLayout.Folder
  ) throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "project"))
    let mine = layout.folder(folder).appending(path: "mine")
    try FileManager.default.createDirectory(at: mine, withIntermediateDirectories: true)
    let refusal = LibraryError.takenFolder(layout.folder(folder).path(percentEncoded: false))
    #expect(throws: refusal) { try layout.prepare() }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: layout.home.path) == [folder.rawValue])
    #expect(!layout.mayDelete(mine))
    // Of a home some copies leave out what is hidden.
    try Data().write(to: layout.catalogue)
    try layout.prepare()
    // And it may lose its catalogue.
    try FileManager.default.removeItem(at: layout.catalogue)
    try layout.prepare()
    #expect(layout.mayDelete(mine))
  }

  @Test(arguments: [
    "maps/a/package.info", "maps/a/1/p13/a.mmap", "packages/a.mmpk", "packages/a/2.mmpk",
    "kept/a-1/1/p13/data.geodatabase", "trash/a/1/package.info",
  ])
  func `Maps without a catalogue and without marks are a home`(_ path: String) throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    let file = layout.home.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("map".utf8).write(to: file)
    try layout.prepare()
    for folder in HomeLayout.Folder.allCases {
      #expect(FileStatus(layout.folder(folder).appending(path: HomeLayout.marker)) != nil)
    }
  }

  @Test func `A home has one identity from the first question on, and each map one in it`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let id = try #require(MapID("a"))
    #expect(bed.layout.identity == nil && bed.layout.identity(of: id) == nil)
    let identity = try await bed.library().homeIdentity()
    #expect(try await bed.library().homeIdentity() == identity)
    #expect(bed.layout.identity == identity)
    #expect(try await bed.library().identity(of: id) == "\(identity)/a")
    #expect(bed.layout.identity(of: id) == "\(identity)/a")
    let status = try #require(FileStatus(bed.layout.identityFile))
    #expect(status.permissions == 0o600)
    let token = try String(contentsOf: bed.layout.identityFile, encoding: .utf8)
    #expect(UUID(uuidString: token) != nil && identity == "\(status.identity.number)-\(token)")
  }

  @Test func `A home that had its identity by its date keeps it`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try Data().write(to: bed.layout.identityFile)
    let status = try #require(FileStatus(bed.layout.identityFile))
    let identity = "\(status.identity.number)-\(status.changed)"
    #expect(bed.layout.identity == identity)
    #expect(try await bed.library().homeIdentity() == identity)
    #expect(FileStatus(bed.layout.identityFile)?.byteCount == 0)
  }

  @Test func `A link called indexes is left alone, and so is what it leads to`() throws {
    let elsewhere = temporaryDirectory.appending(path: "elsewhere", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    let file = elsewhere.appending(path: "a.sideindex")
    try Data("x".utf8).write(to: file)
    try FileManager.default.createSymbolicLink(
      at: temporaryDirectory.appending(path: "indexes"), withDestinationURL: elsewhere)
    try layout.prepare()
    #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
  }

  @Test(arguments: [HomeLayout.Folder.maps, .packages, .trash])
  func `A home in which maps lie is not new, be they deleted`(
    _ folder: HomeLayout.Folder
  ) throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "new"))
    try layout.prepare()
    #expect(!layout.holdsMaps)
    try FileManager.default.createDirectory(
      at: layout.folder(folder).appending(path: "a"), withIntermediateDirectories: true)
    #expect(layout.holdsMaps)
  }

  /// Paths below the home, with whether what is there may be deleted.
  @Test(arguments: [
    ("maps/a", true), ("maps/a/1", true), ("maps/a/1/p13", false), ("packages/b.mmpk", true),
    ("packages/b.mmpk/c", false), ("staging/job", true), ("staging/job/a.mmpk", true),
    ("staging/job/p13/a", false), ("trash/x", true), ("trash/x/inner", false), ("kept/a-1", true),
    ("kept/a-1/1", true), ("kept/a-1/1/p13", false), ("maps/link", true), ("maps/link/a", false),
    ("maps", false), ("maps/.portolan-room", false), ("library.sqlite", false), ("other/a", false),
    ("maps/..", false), ("maps/a/..", false), ("trash/x/..", false),
  ])
  func `Only what lies in a marked folder, or is a version in one, may be deleted`(
    _ path: String, _ may: Bool
  ) throws {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let files = FileManager.default
    for folder in [
      "maps/a/1/p13", "staging/job/p13", "trash/x/inner", "kept/a-1/1/p13", "other/a",
    ] {
      try files.createDirectory(
        at: layout.home.appending(path: folder), withIntermediateDirectories: true)
    }
    try Data().write(to: layout.folder(.packages).appending(path: "b.mmpk"))
    try files.createSymbolicLink(
      at: layout.folder(.maps).appending(path: "link"),
      withDestinationURL: layout.home.appending(path: "other"))
    let url = URL(filePath: "\(layout.home.path(percentEncoded: false))/\(path)")
    #expect(layout.mayDelete(url) == may)
    try files.removeItem(at: layout.folder(.maps).appending(path: HomeLayout.marker))
    #expect(!layout.mayDelete(layout.folder(.maps).appending(path: "a")))
  }

  @Test func `Versions are listed by number, and what is set aside gets the next free one`()
    throws
  {
    let layout = HomeLayout(home: temporaryDirectory.appending(path: "home"))
    try layout.prepare()
    let container = layout.container(of: try #require(MapID("a")), .folder)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    for name in ["10", "2.mmpk", "1", "notes", "3.txt", ".4", "x.mmpk", "5.mmpk.part"] {
      try Data().write(to: container.appending(path: name))
    }
    let versions = try layout.versions(in: container)
    #expect(versions.map(\.number) == [1, 2, 10])
    #expect(versions.map(\.url.lastPathComponent) == ["1", "2.mmpk", "10"])
    let kept = ["a-1", "a-2", "a-deleted-1", "a-3", "a-deleted-2"]
    for name in kept {
      let place = layout.keptPlace(of: "a", isDeleted: name.contains("deleted"))
      #expect(place.lastPathComponent == name)
      try Data().write(to: place)
    }
    #expect(layout.contents(of: .kept).map(\.lastPathComponent) == kept.sorted())
  }
}
