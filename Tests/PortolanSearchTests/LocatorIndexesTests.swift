import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

@testable import PortolanSearch

@Suite(.temporaryDirectory) struct LocatorIndexesTests {
  private var folder: URL { temporaryDirectory.appending(path: "search") }
  private var package: URL { temporaryDirectory.appending(path: "town.geodatabase") }

  private func subject() throws -> LocatorSubject {
    if !FileSystem.live.exists(package) { try Data("one".utf8).write(to: package) }
    return LocatorSubject(title: "Town", package: package, name: "Town")
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `An index is made once, and used until the map changes`() async throws {
    let indexes = LocatorIndexes(in: folder)
    let subject = try subject()
    _ = try await indexes.locator(for: subject, searching: Town.sources)
    let url = indexes.url(of: subject)
    let first = try #require(try FileStatus(at: url))
    let again = try await indexes.locator(for: subject, searching: Town.sources)
    #expect(try FileStatus(at: url)?.identity == first.identity)
    #expect(try await again.suggest("12 elm").first?.label == "12 Elm St, Mapleham")
    try Data("two!".utf8).write(to: package)
    _ = try await indexes.locator(for: subject, searching: Town.sources)
    #expect(try FileStatus(at: url)?.identity != first.identity)
  }

  @Test(arguments: [Data(), Data("SQLite format 3".utf8), Data(repeating: 0, count: 5000)])
  func `A foreign or damaged file is set aside and the index is built again`(
    _ contents: Data
  ) async throws {
    let indexes = LocatorIndexes(in: folder)
    let subject = try subject()
    let url = indexes.url(of: subject)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try contents.write(to: url)
    let locator = try await indexes.locator(for: subject, searching: Town.sources)
    #expect(try await locator.suggest("elm").isEmpty == false)
    #expect(try files() == [url.lastPathComponent, url.lastPathComponent + ".damaged"].sorted())
    #expect(try Data(contentsOf: url.appendingPathExtension("damaged")) == contents)
  }

  @Test func `The index of a removed map is removed`() async throws {
    let indexes = LocatorIndexes(in: folder)
    let subject = try subject()
    _ = try await indexes.locator(for: subject, searching: Town.sources)
    let old = indexes.url(of: subject)
    try FileManager.default.removeItem(at: package)
    let other = temporaryDirectory.appending(path: "other.geodatabase")
    try Data("x".utf8).write(to: other)
    _ = try await indexes.locator(
      for: LocatorSubject(title: "Other", package: other, name: "Town"), searching: Town.sources)
    #expect(!FileSystem.live.exists(old))
    #expect(try files().count == 1)
  }

  /// Makes an index look like one of another version.
  private func setVersion(_ version: UInt8, of index: URL) throws {
    var bytes = try Data(contentsOf: index)
    bytes[8] = version
    try bytes.write(to: index)
  }

  @Test(arguments: [UInt8(IndexLayout.version - 1), UInt8(IndexLayout.version + 1)])
  func `An index of another version is replaced, and not set aside`(_ version: UInt8) async throws {
    let indexes = LocatorIndexes(in: folder)
    let subject = try subject()
    _ = try await indexes.locator(for: subject, searching: Town.sources)
    let url = indexes.url(of: subject)
    try setVersion(version, of: url)
    _ = try await indexes.locator(for: subject, searching: Town.sources)
    #expect(try files() == [url.lastPathComponent])
    #expect(try Data(contentsOf: url)[8] == UInt8(IndexLayout.version))
  }

  @Test func `Old indexes, and what was set aside of those that are gone, are removed`()
    async throws
  {
    let indexes = LocatorIndexes(in: folder)
    let subject = try subject()
    _ = try await indexes.locator(for: subject, searching: Town.sources)
    let old = indexes.url(of: subject)
    try setVersion(1, of: old)
    let damaged = folder.appending(path: "12ab.index.damaged")
    try Data("x".utf8).write(to: damaged)
    let other = temporaryDirectory.appending(path: "other.geodatabase")
    try Data("x".utf8).write(to: other)
    let next = LocatorSubject(title: "Other", package: other, name: "Town")
    _ = try await indexes.locator(for: next, searching: Town.sources)
    #expect(try files() == [indexes.url(of: next).lastPathComponent])
  }

  @Test(arguments: [ENOSPC, EROFS, EACCES, EIO])
  func `Where nothing can be written the map is searched all the same`(
    _ code: Int32
  ) async throws {
    let full = FileSystem { call in
      if case .open = call { nil } else { code }
    }
    let indexes = LocatorIndexes(in: folder, fileSystem: full)
    let locator = try await indexes.locator(for: try subject(), searching: Town.sources)
    #expect(try await locator.suggest("elm").isEmpty == false)
  }

  @Test func `A map whose package was replaced while it is open leaves no index for the new one`()
    async throws
  {
    let indexes = LocatorIndexes(in: folder)
    let open = try subject()
    let new = temporaryDirectory.appending(path: "new.geodatabase")
    try Data("new".utf8).write(to: new)
    try FileSystem.live.rename(new, to: package)
    let locator = try await indexes.locator(for: open, searching: Town.sources)
    #expect(try await locator.suggest("elm").isEmpty == false)
    #expect(!FileSystem.live.exists(indexes.url(of: open)))
    let reopened = try subject()
    _ = try await indexes.locator(for: reopened, searching: Town.sources)
    #expect(FileSystem.live.exists(indexes.url(of: reopened)))
  }

  @Test func `An index that lacks a layer is not kept`() async throws {
    let indexes = LocatorIndexes(in: folder)
    let subject = try subject()
    let locator = try await indexes.locator(
      for: subject, searching: Town.sources + [Town.unreadable])
    #expect(locator.unsearched.count == 1)
    #expect(try await locator.suggest("elm").isEmpty == false)
    #expect(!FileSystem.live.exists(indexes.url(of: subject)))
    #expect(try await indexes.locator(for: subject, searching: Town.sources).unsearched == [])
  }

  @Test func `The map itself is not changed`() async throws {
    let subject = try subject()
    let before = try #require(try FileStatus(at: package))
    _ = try await LocatorIndexes(in: folder).locator(for: subject, searching: Town.sources)
    #expect(try FileStatus(at: package) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path).sorted()
        == ["search", "town.geodatabase"])
  }
}
