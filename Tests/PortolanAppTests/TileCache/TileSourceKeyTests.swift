import Foundation
import PortolanApp
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// Sources whose addresses have keys, which are others after a while.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileSourceKeyTests {
  private nonisolated static let old = "https://tiles.example/{z}/{x}/{y}.png?key=old&style=day"
  private nonisolated static let new = "https://tiles.example/{z}/{x}/{y}.png?key=new&style=day"
  private nonisolated static let tile = TileID(level: 8, row: 119, column: 135)

  private let server = TileWorld()
  private var file: URL { temporaryDirectory.appending(path: "tiles/MapCache.sqlite") }

  private func model() -> TileRegionsModel {
    var surroundings = TileCacheSurroundings(file: file, transport: server.transport)
    surroundings.now = { [server] in server.date }
    surroundings.clock = CountingClock()
    surroundings.freeSpace = { _ in 1_000_000_000 }
    return TileRegionsModel(surroundings)
  }

  private func request(_ source: String) -> TileRegionRequest {
    TileRegionRequest(
      name: "Area 1", source: source,
      extent: .box(west: 10, south: 10, east: 12.7, north: 12.7), levels: 8...9)
  }

  private var allowed: TileSourceOptions {
    var options = TileSourceOptions()
    options.allowsBulk = true
    return options
  }

  private func template(of name: String = "tiles.example") async throws -> String? {
    try await TileCacheStore(at: file).config(named: name)?.urlTemplate.text
  }

  @Test(arguments: [
    (old, new),
    (
      "https://me:old@tiles.example/{z}/{x}/{y}.png", "https://me:new@tiles.example/{z}/{x}/{y}.png"
    ),
  ])
  func `Tiles that came with one key are there with the next`(
    _ old: String, _ new: String
  ) async throws {
    let model = model()
    _ = try await model.tile(Self.tile, of: old)
    let reading = try await model.tile(Self.tile, of: new, mode: .cacheOnly)
    #expect(reading.source == "tiles.example" && reading.path == .cache)
    await model.noteUse()
    #expect(try await template() == new)
    #expect(try await TileCacheStore(at: file).configs().count == 1)
  }

  @Test func `A region whose key has expired continues with a new one`() async throws {
    let model = model()
    let made = try await model.create(request(Self.old), allowed)
    #expect(try await model.region(like: request(Self.new))?.id == made.id)
    #expect(try await template() == Self.old)
    #expect(try await model.download("Area 1").status == .complete)
    #expect(try await template() == Self.new)
  }

  @Test(arguments: [TileRegionsModel.Pass.update, .failed])
  func `A region whose key has expired is looked through with a new one`(
    _ pass: TileRegionsModel.Pass
  ) async throws {
    let model = model()
    try await model.create(request(Self.old), allowed)
    if pass == .failed { server.refuse("/8/135/119.png", with: 500) }
    try await model.download("Area 1")
    server.refuse("/8/135/119.png", with: nil)
    #expect(try await template() == Self.old)
    try await model.useKeys(in: Self.new, for: "Area 1")
    #expect(try await template() == Self.old)
    try await model.download("Area 1", pass)
    #expect(try await template() == Self.new)
  }

  @Test(arguments: [(401, "old"), (403, "old"), (nil, "new")] as [(Int?, String)])
  func `A key in a header takes the place of the one before once something has come with it`(
    _ status: Int?, _ kept: String
  ) async throws {
    let model = model()
    var options = allowed
    options.headers = ["X-Key": "old"]
    try await model.create(request("https://tiles.example/{z}/{x}/{y}.png"), options)
    try await model.download("Area 1")
    server.refuseAll(with: status)
    var download = TileRegionsModel.DownloadOptions()
    download.source.headers = ["X-Key": "new"]
    _ = try? await model.download("Area 1", .update, download)
    let source = try await TileCacheStore(at: file).config(named: "tiles.example")
    #expect(source?.headers["X-Key"] == kept)
  }

  @Test(arguments: [401, 403])
  func `A region with whose new key nothing can be looked through keeps the one before`(
    _ status: Int
  ) async throws {
    let model = model()
    try await model.create(request(Self.old), allowed)
    try await model.download("Area 1")
    try await model.useKeys(in: Self.new, for: "Area 1")
    server.refuseAll(with: status)
    let asked = server.requests
    // It ends with a problem or with tiles that failed, by the status.
    _ = try? await model.download("Area 1", .update)
    #expect(server.requests > asked)
    #expect(try await template() == Self.old)
  }

  @Test(arguments: [old, "tiles.example"])
  func `The source of a region may be named without a new key`(_ source: String) async throws {
    let model = model()
    try await model.create(request(Self.old), allowed)
    try await model.useKeys(in: source, for: "Area 1")
    #expect(try await model.download("Area 1").status == .complete)
    #expect(try await template() == Self.old)
  }

  @Test func `No key is taken from the address of another source`() async throws {
    let model = model()
    try await model.create(request(Self.old), allowed)
    let night = Self.new.replacing("day", with: "night")
    let problem = await #expect(throws: Problem.self) {
      try await model.useKeys(in: night, for: "Area 1")
    }
    #expect(problem?.code == .usage && problem?.message.contains("new") == false)
    await #expect(throws: Problem.self) { try await model.useKeys(in: Self.new, for: "None") }
    try await model.download("Area 1")
    #expect(try await template() == Self.old)
  }

  @Test(arguments: [401, 403, 404])
  func `A region with whose new key nothing comes keeps the one before`(_ status: Int) async throws
  {
    let model = model()
    try await model.create(request(Self.old), allowed)
    _ = try await model.region(like: request(Self.new))
    server.refuseAll(with: status)
    // It ends with a problem or with tiles that failed or are absent, by the status.
    _ = try? await model.download("Area 1")
    #expect(server.requests > 0)
    #expect(try await template() == Self.old)
  }

  @Test func `A region that is paused before anything comes with a new key keeps the one before`()
    async throws
  {
    let model = model()
    try await model.create(request(Self.old), allowed)
    _ = try await model.region(like: request(Self.new))
    server.hold(after: 0)
    model.start("Area 1")
    await server.whenHeld()
    #expect(try await template() == Self.new)
    try await model.pause("Area 1")
    #expect(try await template() == Self.old)
  }

  @Test func `A new key is for the source that is named, not for another one at the address`()
    async throws
  {
    let model = model()
    try await model.create(request(Self.old), allowed)
    var named = allowed
    named.name = "zone"
    var other = request(Self.old)
    other.name = "Area 2"
    try await model.create(other, named)
    other.source = Self.new
    #expect(try await model.region(like: other, named) != nil)
    #expect(try await model.download("Area 2").status == .complete)
    #expect(try await template(of: "zone") == Self.new)
    #expect(try await template() == Self.old)
  }

  @Test func `A region of another source is not like it, though it was given the same name`()
    async throws
  {
    let model = model()
    var named = allowed
    named.name = "zone"
    let made = try await model.create(request(Self.old), named)
    #expect(try await model.region(like: request(Self.new), named)?.id == made.id)
    let night = request(Self.old.replacing("day", with: "night"))
    #expect(try await model.region(like: night, named) == nil)
    await #expect(throws: Problem.self) { try await model.create(night, named) }
    #expect(try await template(of: "zone") == Self.old)
  }

  @Test(arguments: [
    ("layerkey=roads", "layerkey=rivers"), ("key=1&style_token=day", "key=1&style_token=night"),
    ("layers=roads-and-paths-of-the-north", "layers=roads-and-paths-of-the-south"),
  ])
  func `A name is not given to a second source that differs by more than its keys`(
    _ one: String, _ other: String
  ) async throws {
    let address = "https://tiles.example/{z}/{x}/{y}.png?"
    var named = allowed
    named.name = "zone"
    try await model().create(request(address + one), named)
    var second = request(address + other)
    second.name = "Area 2"
    // Another process knows the first one by its record alone.
    let problem = await #expect(throws: Problem.self) {
      try await self.model().create(second, named)
    }
    #expect(problem?.code == .alreadyExists)
    #expect(try await template(of: "zone") == address + one)
    second.source = address + one + "&key=new"
    #expect(try await model().create(second, named).source == "zone")
  }

  @Test func `A plan with another key leaves that of the source as it is`() async throws {
    let model = model()
    try await model.create(request(Self.old), allowed)
    let plan = try await model.plan(request(Self.new))
    #expect(plan.source == "tiles.example" && plan.size != nil)
    #expect(try await template() == Self.old)
  }

  @Test func `A key with which nothing comes does not take the place of the one before`()
    async throws
  {
    let model = model()
    try await model.create(request(Self.old), allowed)
    server.refuse("/8/135/119.png", with: 401)
    await #expect(throws: Problem.self) { _ = try await model.tile(Self.tile, of: Self.new) }
    #expect(try await template() == Self.old)
  }

  @Test(arguments: [
    ("key=1&style=day", "key=1&style=night"), ("design=day", "design=night"),
    ("key=1&session=streets", "key=1&session=satellite"),
    ("key=1", "key=1&style=day"),
    ("layerkey=roads", "layerkey=rivers"), ("style_token=day", "style_token=night"),
    ("layers=roads-and-paths-of-the-north", "layers=roads-and-paths-of-the-south"),
  ])
  func `A source that differs by more than its keys is another one`(
    _ one: String, _ other: String
  ) async throws {
    let model = model()
    let address = "https://tiles.example/{z}/{x}/{y}.png?"
    _ = try await model.tile(Self.tile, of: address + one)
    #expect(try await model.tile(Self.tile, of: address + other).source == "tiles.example (2)")
  }
}
