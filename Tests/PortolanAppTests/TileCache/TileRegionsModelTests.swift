import Foundation
import PortolanApp
import PortolanImages
import PortolanJSON
import PortolanJobs
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// The screen of the tile cache, with a server in memory.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TileRegionsModelTests {
  private nonisolated static let address = "https://tiles.example/{z}/{x}/{y}.png"
  /// 64 tiles of level 10 and their ancestors.
  private nonisolated static let box = TileRegionExtent.box(
    west: 10, south: 10, east: 12.7, north: 12.7)

  private let server = TileWorld()

  private func model(
    _ change: (inout TileCacheSurroundings) -> Void = { _ in }
  ) -> TileRegionsModel {
    var surroundings = TileCacheSurroundings(
      file: temporaryDirectory.appending(path: "tiles/MapCache.sqlite"),
      transport: server.transport)
    surroundings.now = { [server] in server.date }
    surroundings.clock = CountingClock()
    surroundings.freeSpace = { _ in 1_000_000_000 }
    change(&surroundings)
    return TileRegionsModel(surroundings)
  }

  private func request(
    _ name: String = "Area 1", levels: ClosedRange<Int> = 8...10
  ) -> TileRegionRequest {
    TileRegionRequest(name: name, source: Self.address, extent: Self.box, levels: levels)
  }

  private var allowed: TileSourceOptions {
    var options = TileSourceOptions()
    options.allowsBulk = true
    return options
  }

  @Test func `Looking at a home without a cache leaves no trace`() async throws {
    let model = model()
    try await model.load()
    #expect(model.state.isLoaded && model.state.regions.isEmpty && model.state.usage == nil)
    #expect(!model.exists)
    _ = try await model.clear(.everything)
    await #expect(throws: Problem.self) { try await model.details(of: "Area 1") }
    #expect(!model.exists)
  }

  @Test func `A source's description is included when it is requested`() async throws {
    let document = #"{"name": "Hills", "tiles": ["https://t/{z}/{x}/{y}.png"]}"#
    let transport = StubTransport { .json(document, to: $0) }
    let model = model { $0.transport = transport }
    var options = TileSourceOptions()
    options.headers = ["X-Key": "k"]
    options.userAgent = "Me"
    let source = try await model.addSource(at: "https://h/tiles.json", options)
    #expect(source.name == "Hills")
    #expect(transport.requests.first?.headers["X-Key"] == "k")
    #expect(transport.requests.first?.headers["User-Agent"] == "Me")
  }

  @Test func `Tiles are loaded ahead only within a budget that was set`() async throws {
    let off = model()
    let plain = try await off.tiles(named: Self.address)
    #expect(!(plain.first?.source is PredictingTileSource))
    let on = model { $0.predictionBudget = { 1_000_000 } }
    let source = try #require(
      try await on.tiles(named: Self.address).first?.source as? PredictingTileSource)
    _ = try await source.tile(at: TileID(level: 5, row: 10, column: 10))
    await source.predictor.settle()
    try await on.load()
    #expect(on.state.sources.first?.tileCount == 14)
  }

  @Test func `A plan counts each level, estimates, and names the obstacle`() async throws {
    let model = model()
    let plan = try await model.plan(request())
    #expect(plan.levels.map(\.level) == [8, 9, 10])
    #expect(plan.count == plan.levels.reduce(0) { $0 + $1.count })
    #expect(plan.obstacle?.code == .bulkForbidden && !plan.canDownload)
    let free = try await model.plan(request(), allowed)
    #expect(free.canDownload && free.fits == true)
    let size = try #require(free.size)
    #expect(size.bytes.contains(size.likelyBytes) && size.sampleCount > 0)
    let dateline = TileRegionRequest(
      name: "Fiji", source: Self.address,
      extent: .box(west: 179, south: -18, east: -178, north: -16), levels: 7...7)
    #expect(try await model.plan(dateline, allowed, estimating: false).crossesAntimeridian)
  }

  @Test func `A region is downloaded, and what its state says adds up at any time`() async throws {
    let model = model()
    try await model.create(request(), allowed)
    let reports = Locked<[TileRegionSummary]>([])
    let region = try await model.download("Area 1") { report in
      reports.withLock { $0.append(report) }
    }
    #expect(region.status == .complete && region.counts.stored == region.counts.planned)
    #expect(server.requests == region.counts.planned)
    #expect(
      reports.withLock { $0 }.allSatisfy { report in
        report.counts.done + report.counts.failed + report.counts.remaining
          == report.counts.planned && report.status == .downloading
      })
    #expect(model.state.regions == [region])
    #expect(model.state.usage?.pinnedByteCount == region.byteCount)
    let data = try StateCoding.data(of: model.state)
    #expect(try StateCoding.state(TileRegionsModel.State.self, from: data) == model.state)
    let details = try await model.details(of: "Area 1")
    #expect(details.coverage.allSatisfy(\.isWhole) && details.failures.isEmpty)
  }

  @Test func `Observers see which host a region waits for, until its requests go`() async throws {
    let clock = ManualClock()
    let isBusy = Locked(true)
    let stub = StubTransport { request in
      .data(
        TileWorld.picture(of: "a"), status: isBusy.withLock(\.self) ? 429 : 200,
        headers: ["Retry-After": "12"], to: request)
    }
    let model = model {
      $0.transport = RetryingTransport(stub, clock: clock, now: { clock.date }, chance: { 1 })
    }
    // One tile, so that nobody else is refused and comes to sleep after the clock has moved.
    try await model.create(request(levels: 0...0), allowed)
    model.start("Area 1")
    let waiting = await Observed.first(
      of: { model.state.regions.first }, where: { $0?.hostWait != nil })
    #expect(waiting?.hostWait?.host == "tiles.example" && waiting?.hostWait?.seconds == 12)
    #expect(waiting?.json["hostWait"]?["host"] == "tiles.example")
    isBusy.withLock { $0 = false }
    await clock.wake(after: .seconds(12))
    await model.waitUntilIdle()
    #expect(model.state.regions.first?.status == .complete)
    #expect(model.state.regions.first?.hostWait == nil)
  }

  @Test func `Observers see a region come and grow until it is complete`() async throws {
    let model = model()
    let states = try await Observed.states {
      model.state
    } until: {
      $0.regions.first?.status == .complete
    } while: {
      try await model.create(request(levels: 8...8), allowed)
      _ = try await model.download("Area 1")
    }
    #expect(states.first?.regions == [])
    let stored = states.compactMap { $0.regions.first?.counts.stored }
    #expect(stored == stored.sorted() && stored.last == states.last?.regions.first?.counts.planned)
  }

  @Test func `Failed tiles are listed and requested again, and nothing else`() async throws {
    let model = model()
    server.refuse("/10/540/476.png", with: 500)
    try await model.create(request(), allowed)
    let region = try await model.download("Area 1")
    #expect(region.status == .partlyComplete && region.counts.failed == 1 && region.canRetry)
    #expect(try await model.details(of: "Area 1").failures.map(\.tile.address) == ["10/540/476"])
    let known = try await model.explain(TileID(level: 10, row: 476, column: 540), of: Self.address)
    #expect(!known.isKnown && known.sentence.contains("could not be downloaded"))
    server.refuse("/10/540/476.png", with: nil)
    let before = server.requests
    let repaired = try await model.download("Area 1", .failed)
    #expect(repaired.status == .complete && server.requests == before + 1)
  }

  @Test func `A region for which the source has no tiles is distinguished from a complete one`()
    async throws
  {
    let transport = StubTransport { request in
      .data(Data(), status: request.url.path().hasPrefix("/8/") ? 204 : 404, to: request)
    }
    let model = model { $0.transport = transport }
    try await model.create(request(), allowed)
    let region = try await model.download("Area 1")
    #expect(region.status == .empty && region.counts.absent == region.counts.planned)
    #expect(region.status.rawValue == "empty")
    #expect(region.reason?.contains("Check the address") == true)
    #expect(region.canUpdate && region.canDelete && !region.canExport)
    #expect(region.counts.planned > 0 && model.state.regions == [region])
  }

  @Test func `A name that is taken is refused with another, and so is an unknown one`() async throws
  {
    let model = model()
    try await model.create(request(), allowed)
    let taken = await #expect(throws: Problem.self) {
      try await model.create(request(), allowed)
    }
    #expect(taken?.code == .alreadyExists && taken?.suggestion?.contains("\"Area 1 (2)\"") == true)
    #expect(taken?.actions.map(\.kind) == [.chooseAnotherName])
    var alike = request()
    alike.name = "area 1"
    let plan = try await model.plan(alike, allowed, estimating: false)
    #expect(plan.obstacle?.message.contains("\"Area 1\"") == true)
    let unknown = await #expect(throws: Problem.self) { try await model.delete("Area 7") }
    #expect(unknown?.code == .noSuchRegion && unknown?.kind == .absence)
    #expect(unknown?.actions.map(\.kind) == [.listTileRegions])
    let source = await #expect(throws: Problem.self) {
      try await model.tile(TileID(level: 0, row: 0, column: 0), of: "nothing")
    }
    #expect(source?.code == .noSuchTileSource)
  }

  @Test func `A started download is paused and resumes from there`() async throws {
    let model = model()
    try await model.create(request(), allowed)
    server.hold(after: 20)
    model.start("Area 1")
    await server.whenHeld()
    try await model.pause("Area 1")
    server.letGo()
    let paused = try #require(model.state.regions.first)
    #expect(paused.status == .paused && paused.canResume && paused.counts.stored <= 20)
    model.start("Area 1")
    await model.waitUntilIdle()
    let done = try #require(model.state.regions.first)
    #expect(done.status == .complete && model.state.problem == nil)
    // Twice is what had been answered and was not written yet.
    #expect(server.doneRequests <= done.counts.planned + 20 - paused.counts.stored)
  }

  @Test func `The obstacle to resuming a region is in its state`() async throws {
    let model = model()
    try await model.create(request(), allowed)
    server.fail(.offline)
    let problem = await #expect(throws: Problem.self) { try await model.download("Area 1") }
    #expect(problem?.kind == .network && problem?.actions.map(\.kind) == [.goOnline])
    #expect(model.state.regions.first?.status == .paused)
    #expect(model.state.regions.first?.reason != nil)
    server.fail(nil)
    #expect(try await model.download("Area 1").status == .complete)
  }

  @Test(.needsTool("sqlite3"))
  func `A region of a process that died is interrupted, and resumed`()
    async throws
  {
    let first = model()
    try await first.create(request(), allowed)
    try await markAsDownloading()
    let model = model()
    try await model.load()
    #expect(model.state.regions.first?.status == .interrupted)
    #expect(try await model.resumeInterrupted() == ["Area 1"])
    await model.waitUntilIdle()
    #expect(model.state.regions.first?.status == .complete)
  }

  @Test(.needsTool("sqlite3"), arguments: [0, 1])
  func `If a retry or a final state was not written, only what failed is requested again`(
    _ failures: Int
  ) async throws {
    let first = model()
    try await first.create(request(), allowed)
    if failures > 0 { server.refuse("/10/540/476.png", with: 500) }
    _ = try await first.download("Area 1")
    server.refuse("/10/540/476.png", with: nil)
    try await markAsDownloading()
    let asked = server.requests
    let model = model()
    #expect(try await model.resumeInterrupted() == ["Area 1"])
    await model.waitUntilIdle()
    #expect(model.state.regions.first?.status == .complete)
    #expect(server.requests == asked + failures)
  }

  /// Leaves the record of a region as a process does that was killed.
  private func markAsDownloading() async throws {
    let file = temporaryDirectory.appending(path: "tiles/MapCache.sqlite")
    let result = try Tool.run(
      "sqlite3", file.path(percentEncoded: false), "UPDATE region SET state = 'downloading'")
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test func `A tile reports where it came from, and its age`() async throws {
    let model = model()
    let tile = TileID(level: 5, row: 10, column: 12)
    #expect(try await model.tile(tile, of: Self.address).path == .network)
    #expect(try await model.tile(tile, of: Self.address).path == .cache)
    server.move(by: 30 * 86_400)
    #expect(try await model.tile(tile, of: Self.address).path == .unchanged)
    server.move(by: 30 * 86_400)
    server.fail(.offline)
    let old = try await model.tile(tile, of: Self.address)
    #expect(old.path == .fallback && old.age == 30 * 86_400 && old.problem?.kind == .network)
    let missing = await #expect(throws: Problem.self) {
      try await model.tile(TileID(level: 6, row: 1, column: 1), of: Self.address, mode: .cacheOnly)
    }
    #expect(missing?.code == .notCached && missing?.kind == .absence)
  }

  @Test func `Beyond the last level a picture is the part that was asked for`() async throws {
    let colours: [UInt32] = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FFFF]
    let pixels: [UInt32] = (0..<65_536).map { place in
      let (row, column) = (place / 256, place % 256)
      return colours[row / 128 * 2 + column / 128]
    }
    let picture = try #require(PixelImage(width: 256, height: 256, pixels: pixels)).pngData()
    let transport = StubTransport { .data(picture, to: $0) }
    let model = model { $0.transport = transport }
    var options = TileSourceOptions()
    options.highestLevel = 3
    for index in 0..<4 {
      let tile = TileID(level: 4, row: 10 + index / 2, column: 4 + index % 2)
      let reading = try await model.tile(tile, of: Self.address, options)
      #expect(reading.ancestor == TileID(level: 3, row: 5, column: 2) && reading.isEnlarged)
      #expect(reading.format == "png")
      let part = try PixelImage(decoding: try #require(reading.data))
      #expect(part.pixels[part.width * 128 + (index % 2 == 0 ? 20 : 230)] == colours[index])
    }
  }

  @Test func `Enlarged pictures are kept where that is wanted, and go with their source`()
    async throws
  {
    let pixels = [UInt32](repeating: 0xFF00_80FF, count: 65_536)
    let picture = try #require(PixelImage(width: 256, height: 256, pixels: pixels)).pngData()
    let transport = StubTransport { .data(picture, to: $0) }
    let model = model { $0.transport = transport }
    var options = TileSourceOptions()
    options.highestLevel = 3
    let tile = TileID(level: 5, row: 20, column: 8)
    let plain = try await model.tile(tile, of: Self.address, options)
    try await model.load()
    #expect(model.state.sources.map(\.tileCount) == [1])
    options.cachesOverZoom = true
    for _ in 0..<2 {
      let kept = try await model.tile(tile, of: Self.address, options)
      #expect(kept.data == plain.data && kept.isEnlarged)
      try await model.load()
      #expect(model.state.sources.map(\.tileCount) == [2])
    }
    #expect(try await model.tiles(named: nil).map(\.name) == ["tiles.example"])
    let kept = "tiles.example (over-zoom)"
    let served = await #expect(throws: Problem.self) { _ = try await model.tiles(named: kept) }
    let removed = await #expect(throws: Problem.self) { _ = try await model.removeSource(kept) }
    #expect(served?.code == .noSuchTileSource && removed?.code == .noSuchTileSource)
    options.allowsBulk = true
    try await model.create(request(levels: 2...3), options)
    let inUse = await #expect(throws: Problem.self) {
      _ = try await model.removeSource("tiles.example")
    }
    #expect(inUse?.code == .inUse)
    try await model.delete("Area 1")
    #expect(model.state.sources.map(\.tileCount) == [2])
    #expect(try await model.removeSource("tiles.example").tileCount == 2)
    #expect(model.state.sources.isEmpty)
  }

  @Test func `Only a source that is kept can be cleared, by its name or its address`() async throws
  {
    let model = model()
    _ = try await model.tile(TileID(level: 3, row: 1, column: 1), of: Self.address)
    #expect(try await model.sourceName(of: Self.address) == "tiles.example")
    for text in ["elsewhere", "https://elsewhere.example/{z}/{x}/{y}.png"] {
      for request in [
        TileClearingRequest.source(text), .extent(Self.box, levels: 0...5, source: text),
      ] {
        let problem = await #expect(throws: Problem.self) { try await model.clear(request) }
        #expect(problem?.code == .noSuchTileSource)
      }
    }
    // An address that was only asked about is not kept.
    try await model.load()
    #expect(model.state.sources.map(\.name) == ["tiles.example"])
  }

  @Test func `The freshness of tiles is set for their source, and holds until it is set again`()
    async throws
  {
    let picture = try #require(
      PixelImage(width: 1, height: 1, pixels: [0xFF00_80FF])
    ).pngData()
    let date = Locked(Date(timeIntervalSince1970: 1_767_225_600))
    let transport = StubTransport { .data(picture, to: $0) }
    let model = model {
      $0.transport = transport
      $0.now = { date.withLock { $0 } }
    }
    let tile = TileID(level: 3, row: 2, column: 1)
    func path(_ freshness: TileSourceOptions.Freshness? = nil) async throws -> TileReading.Path {
      var options = TileSourceOptions()
      options.freshness = freshness
      return try await model.tile(tile, of: Self.address, options).path
    }
    #expect(try await path() == .network)
    date.withLock { $0.addTimeInterval(30 * 86_400) }
    #expect(try await path(.always) == .cache)
    #expect(try await path() == .cache)
    #expect(try await path(.fixed(seconds: 60)) == .network)
    date.withLock { $0.addTimeInterval(61) }
    #expect(try await path() == .network)
    date.withLock { $0.addTimeInterval(61) }
    #expect(try await path(.server) == .cache)
  }

  @Test func `Beyond the last level a vector tile is whole, and reported so`() async throws {
    let vector = Data([0x1A, 0x03, 0x0A, 0x01, 0x61])
    let transport = StubTransport {
      .data(vector, headers: ["Content-Type": "application/x-protobuf"], to: $0)
    }
    let model = model { $0.transport = transport }
    var options = TileSourceOptions()
    options.highestLevel = 3
    let reading = try await model.tile(
      TileID(level: 4, row: 10, column: 4), of: "https://tiles.example/{z}/{x}/{y}.pbf", options)
    #expect(reading.ancestor == TileID(level: 3, row: 5, column: 2) && !reading.isEnlarged)
    #expect(reading.data == vector)
  }

  @Test func `Files that another process set aside are listed, and deleted on request`()
    async throws
  {
    let file = temporaryDirectory.appending(path: "tiles/MapCache.sqlite")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let aside = file.path(percentEncoded: false) + ".set-aside-1"
    try Data("damaged".utf8).write(to: URL(filePath: aside))
    let model = model()
    try await model.load()
    #expect(model.state.setAside == [.init(file: aside, byteCount: 7)] && !model.exists)
    try await model.addSource(at: Self.address)
    #expect(model.state.setAside.count == 1 && model.exists)
    #expect(try await model.deleteSetAside().fileByteCount == 7)
    #expect(model.state.setAside.isEmpty && !FileManager.default.fileExists(atPath: aside))
  }

  @Test func `Requesting an incomplete region again resumes it`() async throws {
    let model = model()
    #expect(try await model.region(like: request(), allowed) == nil)
    let made = try await model.create(request(), allowed)
    #expect(try await model.region(like: request(), allowed)?.id == made.id)
    var all = request()
    all.levels = nil
    #expect(try await model.region(like: all)?.id == made.id)
    var others = [request(levels: 8...9), request("Area 2"), request(), request()]
    others[2].skipsBlank = true
    others[3].extent = .box(west: 10, south: 10, east: 12, north: 12)
    for other in others { #expect(try await model.region(like: other, allowed) == nil) }
  }

  @Test func `Two that first use different addresses of one host get sources of their own`()
    async throws
  {
    let tile = TileID(level: 4, row: 9, column: 3)
    for _ in 0..<4 {
      let models = [model(), model()]
      let names = ["ok", "noise"]
      async let one = models[0].tile(tile, of: "https://tiles.example/ok/{z}/{x}/{y}.png")
      async let other = models[1].tile(tile, of: "https://tiles.example/noise/{z}/{x}/{y}.png")
      let readings = try await [one, other]
      // The use that is shown is written afterwards.
      for model in models { await model.noteUse() }
      for (name, reading) in zip(names, readings) {
        #expect(reading.data == TileWorld.picture(of: "/\(name)/4/3/9.png"))
        let again = try await model().tile(tile, of: reading.source, mode: .cacheOnly)
        #expect(again.data == reading.data)
      }
      #expect(Set(readings.map(\.source)) == ["tiles.example", "tiles.example (2)"])
      for reading in readings { try await models[0].removeSource(reading.source) }
    }
  }

  @Test func `A source of which nothing could be had leaves no trace`() async throws {
    let model = model()
    server.fail(.offline)
    await #expect(throws: Problem.self) {
      try await model.tile(TileID(level: 4, row: 9, column: 3), of: Self.address)
    }
    _ = try await model.plan(request(), allowed)
    try await model.load()
    #expect(model.state.sources == [])
  }

  @Test func `A plan does not store the permission given for its source`() async throws {
    let model = model()
    _ = try await model.plan(request(), allowed)
    let plan = try await model.plan(request())
    #expect(plan.obstacle?.code == .bulkForbidden)
    try await model.create(request(), allowed)
    _ = try await model.plan(request("Area 2"))
    #expect(try await model.plan(request("Area 2")).obstacle == nil)
  }

  @Test func `A tile that is not stored is reported only as that`() async throws {
    let model = model()
    let tile = TileID(level: 5, row: 10, column: 12)
    _ = try await model.tile(tile, of: Self.address)
    _ = try await model.clear(.everything)
    #expect(
      try await model.explain(tile, of: Self.address).sentence
        == "It is not on this device, and no region contains it.")
  }

  @Test func `Beyond the last level the tile that is enlarged is explained`() async throws {
    let model = model()
    let whole = TileID(level: 19, row: 250, column: 500)
    _ = try await model.tile(whole, of: Self.address)
    let tile = TileID(level: 21, row: 1_000, column: 2_001)
    let known = try await model.explain(tile, of: Self.address)
    #expect(known.tile == whole)
    #expect(known.sentence == "It is on this device until its space is needed.")
  }

  @Test func `What is said of a source counts, also if that is what was said before`() async throws
  {
    let model = model()
    let file = temporaryDirectory.appending(path: "tiles/MapCache.sqlite")
    for attribution in ["Us", "Them", "Us"] {
      var options = TileSourceOptions()
      options.attribution = attribution
      _ = try await model.tile(TileID(level: 5, row: 10, column: 12), of: Self.address, options)
      await model.noteUse()
      let kept = try await TileCacheStore(at: file).config(named: "tiles.example")
      #expect(kept?.attribution == attribution)
    }
  }

  @Test func `What is asked for behind an answer comes before the process ends`() async throws {
    let model = model { $0.clock = ManualClock() }
    let tile = TileID(level: 5, row: 10, column: 12)
    _ = try await model.tile(tile, of: Self.address)
    server.move(by: 86_401)
    server.hold(after: 0)
    let reading = try await model.tile(tile, of: Self.address, mode: .staleWhileRevalidate)
    #expect(reading.path == .stale)
    async let end: Void = model.noteUse()
    await server.whenHeld()
    server.letGo()
    await end
    let again = try await self.model().tile(tile, of: Self.address, mode: .cacheOnly)
    #expect(again.path == .cache)
  }

  @Test func `A process ends although a server does not answer what is asked for behind an answer`()
    async throws
  {
    let clock = ManualClock()
    let model = model { $0.clock = clock }
    let tile = TileID(level: 5, row: 10, column: 12)
    _ = try await model.tile(tile, of: Self.address)
    server.move(by: 86_401)
    let done = server.doneRequests
    server.hold(after: 0)
    _ = try await model.tile(tile, of: Self.address, mode: .staleWhileRevalidate)
    async let end: Void = model.noteUse()
    await server.whenHeld()
    await clock.wake(after: .seconds(5))
    await end
    #expect(server.doneRequests == done)
    server.letGo()
  }

  @Test func `Which tiles were used is known to the next process`() async throws {
    let model = model()
    let tile = TileID(level: 5, row: 10, column: 12)
    for _ in 0..<3 { _ = try await model.tile(tile, of: Self.address) }
    await model.noteUse()
    let store = try TileCacheStore(
      at: temporaryDirectory.appending(path: "tiles/MapCache.sqlite"))
    #expect(try await store.statistics().sources.first?.hits == 2)
  }

  @Test(arguments: ["mbtiles", "pmtiles", "tpkx"])
  func `A region goes into a file and comes back`(_ ending: String) async throws {
    let model = model()
    try await model.create(request(), allowed)
    let region = try await model.download("Area 1")
    let file = temporaryDirectory.appending(path: "Area 1.\(ending)")
    let written = try await model.export("Area 1", to: file)
    #expect(written.tileCount == region.counts.stored && written.damagedCount == 0)
    #expect(written.missingCount == 0)
    let again = await #expect(throws: Problem.self) { try await model.export("Area 1", to: file) }
    #expect(again?.code == .targetExists)
    #expect(try await model.importFile(file).isSkipped)
    let read = try await model.importFile(file, .rename)
    #expect(read.region.name == "Area 1 (2)" && read.tileCount == region.counts.stored)
    #expect(read.region.isImported && !read.region.canResume && !read.region.canUpdate)
    let freed = try await model.delete("Area 1 (2)")
    #expect(freed.tileCount == region.counts.stored)
    #expect(model.state.regions.map(\.name) == ["Area 1"])
  }

  @Test func `No server is asked for tiles of a source that was imported from a file`() async throws
  {
    let model = model()
    try await model.create(request(), allowed)
    try await model.download("Area 1")
    let file = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await model.export("Area 1", to: file)
    let source = try await model.importFile(file, named: "Copy").region.source
    // It lies beside the region.
    let tile = TileID(level: 9, row: 0, column: 0)
    for mode in [TileReadingMode.cacheThenServer, .serverOnly] {
      let problem = await #expect(throws: Problem.self) {
        _ = try await model.tile(tile, of: source, mode: mode)
      }
      #expect(problem?.code == .notCached && problem?.message.contains("from a file") == true)
    }
  }

  @Test(arguments: ["", " \t"])
  func `A name that cannot be seen is refused to new regions and to imported ones`(
    _ name: String
  ) async throws {
    let model = model()
    let refused = await #expect(throws: Problem.self) {
      try await model.create(request(name), allowed)
    }
    #expect(refused?.code == .unusableName && refused?.suggestion != nil)
    #expect(!model.exists)
    try await model.create(request(), allowed)
    try await model.download("Area 1")
    let file = temporaryDirectory.appending(path: "Area 1.mbtiles")
    _ = try await model.export("Area 1", to: file)
    let problem = await #expect(throws: Problem.self) {
      try await model.importFile(file, named: name)
    }
    #expect(problem?.code == .unusableName)
    #expect(model.state.regions.map(\.name) == ["Area 1"])
  }

  @Test func `A file of an incomplete region states how much is missing`() async throws {
    let model = model()
    try await model.create(request(), allowed)
    server.refuse("/10/540/476.png", with: 401)
    server.refuse("/10/541/476.png", with: 500)
    _ = try? await model.download("Area 1")
    try await model.load()
    let counts = try #require(model.state.regions.first?.counts)
    let file = temporaryDirectory.appending(path: "half.pmtiles")
    let written = try await model.export("Area 1", to: file)
    #expect(written.tileCount == counts.stored && written.missingCount > 0)
    #expect(written.tileCount + written.missingCount == counts.planned)
  }

  @Test func `Tiles of other regions that are in the file are not counted as missing`() async throws
  {
    let model = model()
    try await model.create(request(levels: 8...9), allowed)
    let other = try await model.download("Area 1")
    try await model.create(request("Area 2"), allowed)
    let counts = try #require(model.state.regions.first { $0.name == "Area 2" }?.counts)
    let file = temporaryDirectory.appending(path: "shared.pmtiles")
    let written = try await model.export("Area 2", to: file)
    #expect(counts.stored == 0 && written.tileCount == other.counts.stored)
    #expect(written.tileCount + written.missingCount == counts.planned)
  }

  @Test func `A region that is drawn shows its tiles at once, and its size`() async throws {
    let model = model()
    try await model.draw(request(), allowed)
    let draft = try #require(model.state.draft)
    #expect(draft.count > 0 && draft.size != nil)
    model.discardDraft()
    #expect(model.state.draft == nil)
  }

  @Test func `What one page draws is neither replaced nor given up by another`() async throws {
    let model = model()
    try await model.draw(request(levels: 8...9), allowed, by: "a")
    let drawn = try #require(model.state.draft(of: "a"))
    try await model.draw(request("Area 2"), allowed, by: "b")
    #expect(model.state.draft(of: "a") == drawn)
    try await model.create(request("Area 2"), allowed, by: "b")
    #expect(model.state.drafts.map(\.drawer) == ["a"] && model.state.draft(of: "a") == drawn)
    for number in 1...20 { try await model.draw(request(), allowed, by: "\(number)") }
    #expect(model.state.drafts.count == 16 && model.state.drafts.last?.drawer == "20")
  }

  @Test func `Clearing reports what it frees and leaves regions alone`() async throws {
    let model = model()
    try await model.create(request(levels: 8...8), allowed)
    let region = try await model.download("Area 1")
    for column in 0..<4 {
      _ = try await model.tile(TileID(level: 3, row: 1, column: column), of: Self.address)
    }
    let freed = try await model.clear(.everything)
    #expect(freed.tileCount == 4 && freed.byteCount > 0)
    #expect(model.state.usage?.tileCount == region.counts.stored)
  }
}
