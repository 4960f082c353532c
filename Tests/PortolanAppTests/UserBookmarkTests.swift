import Foundation
import PortolanGeometry
import PortolanTestSupport
import Testing

@testable import PortolanApp

/// Bookmarks that people add to maps.
@MainActor
@Suite(.temporaryDirectory) struct UserBookmarkTests {
  private func folder() -> FileBookmarkStore {
    let folder = temporaryDirectory.appending(path: "bookmarks")
    return FileBookmarkStore(in: folder) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  private func model(_ keeper: any BookmarkStore, of map: String = "m") async throws -> MapModel {
    let model = MapModel(map: try MemoryMap(features: [:]).map([MemoryMap.layer("a")]))
    await model.load()
    await model.bookmarks.load(from: .init(keeper: keeper, map: map))
    return model
  }

  private func names(_ model: MapModel) -> [String] {
    model.bookmarks.state.bookmarks.filter(\.isOwn).map(\.name)
  }

  @Test func `What is seen is kept behind the bookmarks of the map, and gone to`() async throws {
    let first = try await model(folder())
    let count = first.bookmarks.state.bookmarks.count
    try first.go(to: .center(Coordinate(x: 20, y: 10), scale: 7_000, spatialReference: .wgs84))
    try await first.bookmarks.add("  Leak site ")
    let later = try await model(folder())
    #expect(names(later) == ["Leak site"])
    #expect(later.bookmarks.state.bookmarks.count == count + 1)
    try later.bookmarks.go(to: count)
    #expect(later.state.frame.scale == 7_000)
    let (center, seen) = (later.state.frame.center, first.state.frame.center)
    #expect(abs(center.x - seen.x) < 1e-6 && abs(center.y - seen.y) < 1e-6)
  }

  @Test func `If no folder for bookmarks can be made, the message says what to do`() async throws {
    let store = FileBookmarkStore(in: temporaryDirectory.appending(path: "bookmarks")) {
      throw CocoaError(.fileWriteNoPermission)
    }
    let model = try await model(store)
    let problem = await #expect(throws: Problem.self) { try await model.bookmarks.add("a") }
    #expect(problem?.suggestion?.contains("may write") == true)
    #expect(names(model).isEmpty)
  }

  @Test func `Each map has bookmarks of its own`() async throws {
    let one = try await model(folder(), of: "one")
    try await one.bookmarks.add("a")
    let other = try await model(folder(), of: "two")
    #expect(names(one) == ["a"] && names(other).isEmpty)
  }

  @Test(arguments: ["", " \n", String(repeating: "ä", count: 201), "twice", "TWICE"])
  func `A name that is none, too long or taken is refused`(_ name: String) async throws {
    let model = try await model(InMemoryBookmarkStore())
    try await model.bookmarks.add("twice")
    await #expect(throws: Problem.self) { try await model.bookmarks.add(name) }
    #expect(names(model) == ["twice"])
  }

  @Test(arguments: ["a", "ä", "日", "👨‍👩‍👧‍👦"])
  func `The length of a name is counted in characters, as the message says`(
    _ character: String
  ) async throws {
    let model = try await model(folder())
    let longest = String(repeating: character, count: 200)
    try await model.bookmarks.add(longest)
    let problem = await #expect(throws: Problem.self) {
      try await model.bookmarks.add(longest + character)
    }
    #expect(problem?.message == "A bookmark has a name of 1 to 200 characters.")
    #expect(names(try await self.model(folder())) == [longest])
  }

  @Test func `Bookmarks that could not be read again are not written`() async throws {
    let keeper = folder()
    func bookmark(_ name: String) -> UserBookmark {
      UserBookmark(name: name, longitude: 0, latitude: 0, scale: 1_000)
    }
    let kept = try await keeper.add(bookmark("a"), to: "m")
    let problem = await #expect(throws: Problem.self) {
      try await keeper.add(bookmark(String(repeating: "b", count: 4 << 20)), to: "m")
    }
    #expect(problem?.code == .notPossible)
    #expect(try await keeper.bookmarks(of: "m") == kept)
  }

  @Test func `Only bookmarks of one's own are removed`() async throws {
    let keeper = InMemoryBookmarkStore()
    let model = try await model(keeper)
    let count = model.bookmarks.state.bookmarks.count
    try await model.bookmarks.add("a")
    try await model.bookmarks.add("b")
    await #expect(throws: Problem.self) { try await model.bookmarks.remove(at: 0) }
    await #expect(throws: Problem.self) { try await model.bookmarks.remove(at: count + 2) }
    try model.bookmarks.go(to: count + 1)
    try await model.bookmarks.remove(at: count)
    #expect(names(model) == ["b"] && model.bookmarks.state.selection == count)
    try await model.bookmarks.remove(own: "b")
    #expect(names(model).isEmpty && model.bookmarks.state.selection == nil)
    await #expect(throws: Problem.self) { try await model.bookmarks.remove(own: "b") }
    #expect(await keeper.bookmarks(of: "m").isEmpty)
  }

  @Test func `Two simultaneous additions are both kept`() async throws {
    let (one, other) = (try await model(folder()), try await model(folder()))
    try await one.bookmarks.add("a")
    try await other.bookmarks.add("b")
    #expect(names(other) == ["a", "b"])
  }

  @Test func `A damaged file is reported, and not overwritten`() async throws {
    let first = try await model(folder())
    try await first.bookmarks.add("a")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.appending(path: "bookmarks").path(percentEncoded: false))
    let name = try #require(names.first { $0.hasSuffix(".json") })
    let file = temporaryDirectory.appending(path: "bookmarks/\(name)")
    try Data("damaged".utf8).write(to: file)
    let model = try await model(folder())
    #expect(model.bookmarks.state.problem?.code == .damaged)
    await #expect(throws: Problem.self) { try await model.bookmarks.add("b") }
    #expect(try String(contentsOf: file, encoding: .utf8) == "damaged")
  }
}
