import Foundation
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
}
