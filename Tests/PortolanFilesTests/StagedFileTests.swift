import Foundation
import PortolanFiles
import PortolanTestSupport
import Synchronization
import Testing

@Suite(.temporaryDirectory) struct StagedFileTests {
  private let url: URL

  init() throws {
    url = temporaryDirectory.appending(path: "map?.bin")
    try Data("old".utf8).write(to: url)
  }

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path) }
  }

  @Test func `A file takes its place only when it is whole`() throws {
    var staged = try StagedFile(replacing: url)
    try staged.write(Data("head body".utf8))
    try staged.overwrite(Data("HEAD".utf8), at: 0)
    try staged.write(Data(" tail".utf8))
    #expect(staged.count == 14)
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    try staged.commit()
    #expect(try Data(contentsOf: url) == Data("HEAD body tail".utf8))
    #expect(try files == ["map?.bin"])
  }

  @Test func `An abandoned file leaves nothing behind`() throws {
    do {
      var staged = try StagedFile(replacing: url)
      try staged.write(Data("half".utf8))
    }
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    #expect(try files == ["map?.bin"])
  }

  @Test func `A folder that is not there is named`() {
    let url = temporaryDirectory.appending(path: "absent/file")
    #expect {
      _ = try StagedFile(replacing: url)
    } throws: {
      guard case .unwritable(url.path, _) = $0 as? FileError else { return false }
      return true
    }
  }

  @Test func `A pipe is not replaced by a file, nor a folder by way of exchange`() throws {
    let pipe = temporaryDirectory.appending(path: "pipe.geojson")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(throws: FileError.notAFile(file: pipe.path, kind: .pipe)) {
      try StagedFile(replacing: pipe).commit()
    }
    #expect(throws: FileError.notAFile(file: pipe.path, kind: .pipe)) {
      try FileSystem.live.exchange(url, with: pipe)
    }
    #expect(try FileStatus(at: pipe)?.kind == .pipe)
    #expect(try Data(contentsOf: url) == Data("old".utf8))
    #expect(try Set(files) == ["map?.bin", "pipe.geojson"])
  }

  @Test func `Only abandoned files are removed`() throws {
    var staged = try StagedFile(replacing: url)
    try staged.write(Data("new".utf8))
    let left = temporaryDirectory.appending(path: "deep/.portolan-7.part")
    let other = temporaryDirectory.appending(path: "deep/.other.part")
    try FileManager.default.createDirectory(
      at: left.deletingLastPathComponent(), withIntermediateDirectories: true)
    for file in [left, other] { try Data("half".utf8).write(to: file) }
    for file in [staged.temporaryURL, left, other] {
      // A new folder may be about to be locked; a minute later it is not.
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file.path)
    }
    StagedFile.removeAbandoned(in: temporaryDirectory)
    #expect(FileSystem.live.exists(left))
    StagedFile.removeAbandoned(below: temporaryDirectory)
    #expect(!FileSystem.live.exists(left) && FileSystem.live.exists(other))
    try staged.commit()
    #expect(try Data(contentsOf: url) == Data("new".utf8))
  }

  @Test func `The journal of a database that was left half written goes with it`() throws {
    let staged = try StagedFile(replacing: url)
    let names = [".portolan-7.part", ".portolan-7.part-journal", ".portolan-8.part-wal"]
    let left = names.map { temporaryDirectory.appending(path: $0) }
    let kept = [
      URL(filePath: staged.temporaryURL.plainPath + "-journal"),
      temporaryDirectory.appending(path: "data.gpkg-journal"),
    ]
    for file in left + kept { try Data("half".utf8).write(to: file) }
    for file in left + kept + [staged.temporaryURL] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: file.plainPath)
    }
    StagedFile.removeAbandoned(in: temporaryDirectory)
    #expect(left.allSatisfy { !FileSystem.live.exists($0) })
    // One is written still, the other is somebody's.
    #expect(kept.allSatisfy { FileSystem.live.exists($0) })
    try staged.commit()
  }

  @Test(arguments: [".portolan-mine.part", ".portolan-.part", "portolan-7.part", ".portolan-7"])
  func `A file that only looks as if it were staged is left alone`(name: String) throws {
    let file = temporaryDirectory.appending(path: name)
    try Data("theirs".utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file.path)
    StagedFile.removeAbandoned(in: temporaryDirectory)
    #expect(FileSystem.live.exists(file) && !StagedFile.isTemporary(name))
  }

  @Test func `What has just been made is not taken for abandoned, though it is not locked yet`()
    throws
  {
    let made = temporaryDirectory.appending(path: ".portolan-8.part")
    try Data().write(to: made)
    // However long the test takes to look.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 600)], ofItemAtPath: made.path)
    StagedFile.removeAbandoned(in: temporaryDirectory)
    #expect(FileSystem.live.exists(made))
  }

  @Test func `An abandoned folder is removed with its contents`() throws {
    let left = temporaryDirectory.appending(path: ".portolan-18446744073709551615.part")
    try FileSystem.live.createFolder(left.appending(path: "deep"))
    try Data("half".utf8).write(to: left.appending(path: "deep/file"))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: left.path)
    StagedFile.removeAbandoned(in: temporaryDirectory)
    #expect(try files == ["map?.bin"])
    #expect(StagedFile.isTemporary(left.lastPathComponent))
  }

  @Test func `A written file is read back before it takes its place`() throws {
    var staged = try StagedFile(replacing: url)
    let bytes = Array("head".utf8)
    try bytes.withUnsafeBytes { try staged.write($0) }
    try staged.write(Data())
    try staged.write(Data(" body".utf8))
    try staged.overwrite(Data("B".utf8), at: 5)
    #expect(staged.count == 9)
    #expect(try staged.read(3..<9) == Data("d Body".utf8))
    #expect(try staged.read(9..<9) == Data())
    var refusal: FileError?
    do throws(FileError) { _ = try staged.read(3..<10) } catch { refusal = error }
    #expect(refusal == .truncated(file: url.path, offset: 10))
    try staged.commit()
    #expect(try Data(contentsOf: url) == Data("head Body".utf8))
  }

  @Test func `A folder cannot be replaced, and nothing is left behind`() throws {
    let folder = temporaryDirectory.appending(path: "folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(throws: FileError.self) { try StagedFile(replacing: folder).commit() }
    #expect(try files.sorted() == ["folder", "map?.bin"])
  }

  @Test func `What prevents creating a file is reported for its target`() throws {
    let url = temporaryDirectory.appending(path: "a.json")
    let errors: [(Int32, FileError)] = [
      (ENOSPC, .diskFull(file: url.path)), (EROFS, .readOnly(file: url.path)),
      (EIO, .unwritable(file: url.path, reason: "Input/output error")),
    ]
    for (code, error) in errors {
      let disk = FileSystem { if case .create = $0 { code } else { nil } }
      #expect(throws: error) { _ = try StagedFile(replacing: url, in: disk) }
    }
  }

  @Test(arguments: [0o600, 0o640])
  func `A document is closed to whom it is to be closed, from the first byte`(
    _ mode: UInt32
  ) throws {
    let url = temporaryDirectory.appending(path: "private.json")
    let seen = Mutex<[UInt32]>([])
    let folder = temporaryDirectory
    let disk = FileSystem { call in
      guard case .rename = call else { return nil }
      // A folder that cannot be listed shows nothing.
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      where name.hasPrefix(".") {
        let status = try? FileStatus(at: folder.appending(path: name))
        seen.withLock { $0 += status.map { [$0.permissions] } ?? [] }
      }
      return nil
    }
    try disk.write(Data("secret".utf8), to: url, permissions: mode)
    #expect(seen.withLock { $0 } == [mode])
    #expect(try FileStatus(at: url)?.permissions == mode)
  }
}
