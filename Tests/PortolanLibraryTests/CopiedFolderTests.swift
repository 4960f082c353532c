import Foundation
import Glibc
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The files of a folder of this device that are copied in, and the reports on those that cannot
/// be.
@Suite(.temporaryDirectory) struct CopiedFolderTests {
  private func write(_ names: [String], in folder: URL) throws {
    for name in names {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(name.utf8).write(to: file)
    }
  }

  private var source: URL { temporaryDirectory.appending(path: "maine") }

  /// All files below a folder, hidden ones too.
  private func names(in folder: URL) -> [String] {
    var names: [String] = []
    FileTree.visit(folder) { url, status in
      guard status.kind != .folder else { return }
      names.append(url.pathComponents.dropFirst(folder.pathComponents.count).joined(separator: "/"))
    }
    return names.sorted()
  }

  @Test func `A folder is copied with its files by path, without links, pipes and hidden ones`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    let parts = ["p13/b.txt", "a.txt", "p13/deep/c.txt", "p2/a.txt", "trip-journal/d.txt"]
    // A journal in a hidden folder is of nothing that is copied.
    try write(parts + [".hidden", "p13/.hidden", ".folder/d.txt", ".folder/e-wal"], in: source)
    // One that was emptied says nothing of edits, and is none of the map.
    try Data().write(to: source.appending(path: "p13/b.gpkg-wal"))
    try FileManager.default.createSymbolicLink(
      at: source.appending(path: "link.txt"), withDestinationURL: source.appending(path: "a.txt"))
    try FileManager.default.createSymbolicLink(
      at: source.appending(path: "link"), withDestinationURL: source.appending(path: "p13"))
    #expect(mkfifo(source.appending(path: "pipe.txt").path, 0o600) == 0)
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    #expect(copy.url.plainPath == bed.layout.staging("import-1").plainPath && !copy.isInspected)
    #expect(copy.files.map(\.path) == parts.sorted() && names(in: copy.url) == parts.sorted())
    for file in copy.files {
      let url = copy.url.appending(path: file.path)
      let status = try #require(FileStatus(url))
      #expect(try String(contentsOf: url, encoding: .utf8) == file.path)
      #expect(status.byteCount == file.byteCount && status.modified == file.modified)
      #expect(try file.digest == FileDigest.digest(of: url) { _ in })
      #expect(status.permissions == 0o600)
    }
    #expect(copy.byteCount == parts.reduce(0) { $0 + $1.utf8.count })
    for folder in ["", "p13", "p13/deep", "p2", "trip-journal"] {
      #expect(FileStatus(copy.url.appending(path: folder))?.permissions == 0o700, "\(folder)")
    }
  }

  @Test(arguments: ["", "p13", ".hidden"])
  func `A folder with a file that no path can name is not copied without it`(
    _ place: String
  ) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["a.txt", "p13/b.txt", ".hidden/c.txt"], in: source)
    let folder = source.appending(path: place)
    let name = [CChar(UInt8(ascii: "/")), CChar(truncatingIfNeeded: 0xff), 0]
    let file = creat(Array(folder.plainPath.utf8CString.dropLast()) + name, 0o600)
    try #require(file >= 0)
    close(file)
    let library = bed.library()
    guard place != ".hidden" else {
      #expect(try await library.stageCopy(of: source, for: "import-1").files.count == 2)
      return
    }
    let error = await #expect(throws: LibraryError.self) {
      _ = try await library.stageCopy(of: source, for: "import-1")
    }
    guard case .unreadable(let path, _)? = error,
      URL(filePath: path).lastPathComponent == folder.lastPathComponent
    else {
      Issue.record("it says \(String(describing: error))")
      return
    }
    #expect(FileStatus(bed.layout.staging("import-1")) == nil)
  }

  @Test func `A hidden file that no path can name is left out as others are`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["a.txt", ".hidden.txt"], in: source)
    let name = [UInt8(ascii: "/"), UInt8(ascii: "."), 0xff, 0].map { CChar(truncatingIfNeeded: $0) }
    let file = creat(Array(source.plainPath.utf8CString.dropLast()) + name, 0o600)
    try #require(file >= 0)
    close(file)
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    #expect(copy.files.map(\.path) == ["a.txt"])
  }

  @Test func `A folder that is written to while it is copied is not stored as a mixture`()
    async throws
  {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["a.txt", "p13/b.txt"], in: source)
    let first = source.appending(path: "a.txt")
    let disk = FileSystem { call in
      // Another program replaces the first file once that was copied.
      if case .write(let path) = call, path.hasSuffix("/b.txt") {
        try? Data("newer".utf8).write(to: first)
      }
      return nil
    }
    await #expect(throws: LibraryError.beingEdited(map: "maine", by: nil)) {
      try await bed.library(files: disk).stageCopy(of: source, for: "import-1")
    }
    #expect(!FileSystem.live.exists(bed.layout.staging("import-1")))
    _ = try await bed.library().stageCopy(of: source, for: "import-1")
  }

  @Test(arguments: ["", "/"])
  func `A link to a folder is copied as the folder that it leads to`(_ end: String) async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["a.txt", "p13/b.txt"], in: source)
    let link = temporaryDirectory.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: source)
    let copy = try await bed.library().stageCopy(
      of: URL(filePath: link.plainPath + end), for: "import-1")
    #expect(copy.files.map(\.path) == ["a.txt", "p13/b.txt"])
    #expect(names(in: copy.url) == ["a.txt", "p13/b.txt"])
  }

  @Test func `A link to a file is copied as the file, under its own name`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["town.mmpk"], in: source)
    let link = temporaryDirectory.appending(path: "link.mmpk")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: source.appending(path: "town.mmpk"))
    let copy = try await bed.library().stageCopy(of: link, for: "import-1")
    #expect(copy.url.lastPathComponent == "link.mmpk" && FileStatus(copy.url)?.kind == .file)
    #expect(try Data(contentsOf: copy.url) == Data("town.mmpk".utf8))
  }

  /// Every call that the copy needs fails, with what is said then of which file.
  @Test func `What prevents copying a folder is reported, and nothing of it stays`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["a.txt", "p13/b.txt"], in: source)
    let staging = bed.layout.staging("import-1")
    let (file, part) = (staging.appending(path: "a.txt").plainPath, staging.appending(path: "p13"))
    let folder = source.appending(path: "p13").plainPath
    let failures: [(call: FileSystemCall, code: Int32, error: LibraryError)] = [
      (.makeFolder(staging.plainPath), ENOSPC, .diskFull(file: staging.plainPath)),
      (.makeFolder(part.plainPath), ENOSPC, .diskFull(file: part.plainPath)),
      (.write(file), ENOSPC, .diskFull(file: file)),
      (.write(file), EACCES, .unwritable(file: file, reason: "Permission denied")),
      (.list(folder), EMFILE, .unreadable(file: folder, reason: "Too many open files")),
    ]
    for (call, code, error) in failures {
      let disk = FileSystem { $0 == call ? code : nil }
      await #expect(throws: error) {
        try await bed.library(files: disk).stageCopy(of: source, for: "import-1")
      }
      #expect(!FileSystem.live.exists(staging), "\(call)")
    }
    #expect(names(in: source) == ["a.txt", "p13/b.txt"])
  }

  @Test func `Removed files of a job are copied in again`() async throws {
    let bed = try await LibraryBed(in: temporaryDirectory)
    try write(["a.txt"], in: source)
    _ = try await bed.library().stageCopy(of: source, for: "import-1")
    try await bed.library().removeStaged("import-1")
    // Nothing is there any more, which is what was wanted.
    try await bed.library().removeStaged("import-1")
    #expect(bed.layout.contents(of: .staging).isEmpty && bed.layout.contents(of: .trash).isEmpty)
    try write(["b.txt"], in: source)
    let copy = try await bed.library().stageCopy(of: source, for: "import-1")
    #expect(names(in: copy.url) == ["a.txt", "b.txt"])
  }
}
