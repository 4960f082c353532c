import Foundation
import PortolanFiles
import PortolanLibrary
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// The record of declined packages in watched folders, as several processes write it.
@Suite(.temporaryDirectory) struct DeclinedPackagesTests {
  private let look = DeclinedPackages.Look(
    byteCount: 1, modified: Date(timeIntervalSinceReferenceDate: 0))

  private var layout: HomeLayout { HomeLayout(home: temporaryDirectory) }

  private var record: URL { temporaryDirectory.appending(path: "declined-packages.json") }

  @Test func `What another process is recording is waited for, and stays recorded`() async throws {
    let url = temporaryDirectory.appending(path: ".declined-packages.lock")
    let lock = try #require(try FileLock.attempt(.exclusive, on: .lockFile(url)))
    let record = record
    let clock = CountingClock { _ in
      // A write that fails shows in what is read below.
      try? Data(#"{"/one/a.mmpk":{"byteCount":1,"modified":0}}"#.utf8).write(to: record)
      lock.release()
    }
    let folder = URL(filePath: "/two", directoryHint: .isDirectory)
    await DeclinedPackages(of: layout, clock: clock).add("/two/b.mmpk", look, in: folder)
    let declined = DeclinedPackages(of: layout)
    #expect(await declined.read(in: folder) == ["/two/b.mmpk": look])
    #expect(await declined.read(in: URL(filePath: "/one")) == ["/one/a.mmpk": look])
  }

  @Test func `A record that cannot be read now is not replaced`() async throws {
    // A link to itself can be opened as little as a file on a disk that fails.
    try FileManager.default.createSymbolicLink(at: record, withDestinationURL: record)
    let folder = URL(filePath: "/two", directoryHint: .isDirectory)
    await DeclinedPackages(of: layout).add("/two/b.mmpk", look, in: folder)
    #expect(try FileStatus(at: record)?.kind == .link)
  }

  @Test func `What is gone from a folder is forgotten with the next that is declined`() async throws
  {
    let folder = temporaryDirectory.appending(path: "downloads", directoryHint: .isDirectory)
    let declined = DeclinedPackages(of: layout)
    let gone = folder.appending(path: "gone.mmpk").path(percentEncoded: false)
    let new = folder.appending(path: "new.mmpk").path(percentEncoded: false)
    await declined.add(gone, look, in: folder)
    await declined.add(new, look, in: folder)
    #expect(await declined.read(in: folder) == [new: look])
  }
}
