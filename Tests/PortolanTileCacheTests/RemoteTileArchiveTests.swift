import Foundation
import PortolanGeometry
import PortolanLocks
import PortolanTestSupport
import PortolanTileCache
import PortolanTileFiles
import PortolanTiles
import PortolanTransport
import Testing

/// Files of tiles on a web server, read by range, and services that are browsed.
@Suite(.temporaryDirectory) struct RemoteTileArchiveTests {
  private let server = TileServerStub()

  /// A file of a region of 80 tiles or so.
  private func file(_ ending: String) async throws -> (data: Data, region: CachedRegion) {
    let cache = try MapCache.stub(server) { $0.policy.allowsBulk = true }
    let region = try await cache.store.createRegion(
      named: "Area", of: cache.config,
      RegionPlan(.box(west: 10, south: 10, east: 12.7, north: 12.7), levels: 8...10),
      now: server.now())
    let finished = try await RegionDownloader(cache, region, clock: CountingClock()).run()
    let url = temporaryDirectory.appending(path: "area.\(ending)")
    _ = try await cache.store.exportRegion(named: "Area", to: url)
    return (try Data(contentsOf: url), finished)
  }

  @Test(arguments: ["pmtiles", "tpkx"])
  func `A file on a web server is a source like others`(_ ending: String) async throws {
    let (data, region) = try await file(ending)
    let files = RangeServer(data)
    let address = "https://files.example/area.\(ending)"
    var config = try await TileSourceReader(transport: files).source(at: address)
    #expect(config.levels == 8...10 && config.address == address)
    config = try MapCacheConfig(json: config.json)
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "other.sqlite"))
    let cache = MapCache(
      withConfig: config, store: store, transport: files, now: server.now)
    let tile = TileID(level: 10, row: 476, column: 540)
    #expect(region.plan.contains(tile))
    let loaded = try await cache.loadTile(at: tile)
    #expect(loaded.path == .fetched)
    #expect(loaded.tile?.data == TileServerStub.picture("/10/540/476.png"))
    #expect(try await cache.loadTile(at: tile).path == .hit)
    #expect(try await cache.loadTile(at: TileID(level: 9, row: 0, column: 0)).tile == nil)
    #expect(files.requests < 40)
  }

  @Test(arguments: [0, 3])
  func `A package that numbers its own levels, from any corner, is a source like others`(
    _ first: Int
  ) async throws {
    let side = 2 * 20_037_508.342787
    var scheme = TileScheme.webMercator(tileSide: 256, levels: 0...2)
    // Levels 10 to 12, from the corner of the tile 10/500/400.
    let world = TileScheme.webMercator(tileSide: 256, levels: 10...12)
    scheme.levels = world.levels.map { level in
      var level = level
      level.level += first - 10
      return level
    }
    scheme.origin = Coordinate(
      x: -side / 2 + 500 * side / 1_024, y: side / 2 - 400 * side / 1_024)
    let url = temporaryDirectory.appending(path: "town.tpkx")
    let extent = Envelope(
      xMin: scheme.origin.x, yMin: scheme.origin.y - side / 1_024,
      xMax: scheme.origin.x + side / 1_024,
      yMax: scheme.origin.y)
    var writer = try TilePackageWriter(
      at: url, TilePackageDescription(name: "Town", scheme: scheme, fullExtent: extent))
    for level in 0...2 {
      try writer.add(
        TileServerStub.picture("\(level)"), at: TileID(level: first + level, row: 0, column: 0))
    }
    try writer.finish()
    let files = RangeServer(try Data(contentsOf: url))
    let config = try await TileSourceReader(transport: files).source(
      at: "https://files.example/town.tpkx")
    #expect(config.levels == 10...12)
    let cache = try MapCache.stub(server)
    let town = MapCache(
      withConfig: config, store: cache.store, transport: files, now: server.now)
    for level in 0...2 {
      let tile = TileID(level: 10 + level, row: 400 << level, column: 500 << level)
      #expect(try await town.loadTile(at: tile).tile?.data == TileServerStub.picture("\(level)"))
    }
    #expect(try await town.loadTile(at: TileID(level: 10, row: 0, column: 0)).tile == nil)
  }

  @Test(arguments: [100, 1_000_000])
  func `A server without range requests is distinguished from one whose file is missing`(
    _ byteCount: Int
  ) async throws {
    server.answer("/area.pmtiles", 200, Data(count: byteCount))
    let error = TileCacheError.noParts("https://files.example/area.pmtiles")
    await #expect(throws: error) {
      try await TileSourceReader(transport: server)
        .source(at: "https://files.example/area.pmtiles?key=1")
    }
    #expect(error.errorDescription?.contains("does not send parts of files") == true)
    #expect(error.recoverySuggestion == "Download the file and import it.")
  }

  @Test(arguments: [1, 2] as [UInt8])
  func `An archive of an older version of PMTiles is called that`(_ version: UInt8) async throws {
    let files = RangeServer(Data("PM".utf8) + Data([version, 0]) + Data(count: 600))
    let url = try #require(URL(string: "https://files.example/area.pmtiles"))
    let error = await #expect(throws: TileCacheError.self) {
      try await RemoteTileArchive(at: url, transport: files).info()
    }
    let words = error?.errorDescription ?? ""
    #expect(words.contains("version \(version) of PMTiles is not supported"), "\(words)")
  }

  @Test func `A changed file is opened again`() async throws {
    let (data, _) = try await file("pmtiles")
    let files = RangeServer(data)
    let url = try #require(URL(string: "https://files.example/area.pmtiles"))
    let archive = RemoteTileArchive(at: url, transport: files)
    #expect(try await archive.info().levels == 8...10)
    files.set(tag: "new")
    let tile = TileID(level: 10, row: 476, column: 540)
    // The first block is known already; the next look at the file finds the new one.
    _ = try? await archive.tile(at: tile)  // The change itself may be told.
    #expect(try await archive.tile(at: tile) != nil)
  }

  @Test func `That a file has changed is noticed although all of it is in memory`() async throws {
    let (data, _) = try await file("pmtiles")
    let files = RangeServer(data)
    let config = try await TileSourceReader(transport: files).source(
      at: "https://files.example/area.pmtiles", named: "Area of a file")
    let cache = MapCache(
      withConfig: config, store: try MapCache.stub(server).store, transport: files, now: server.now)
    let tile = TileID(level: 10, row: 476, column: 540)
    func load() async throws -> Int {
      let before = files.requests
      #expect(try await cache.fetchTileFromServer(at: tile).tile != nil)
      return files.requests - before
    }
    #expect(try await load() > 0)
    files.set(tag: "new")
    #expect(try await load() == 0)
    server.move(by: 61)
    // A look, and the new file.
    #expect(try await load() > 1)
    server.move(by: 61)
    #expect(try await load() == 1)
    #expect(try await load() == 0)
  }

  @Test func `A file that changes is told by its date where it has no tag`() async throws {
    let (data, _) = try await file("tpkx")
    let files = RangeServer(data)
    files.set(modified: "Mon, 01 Jan 2024 00:00:00 GMT")
    let url = try #require(URL(string: "https://files.example/area.tpkx"))
    let archive = RemoteTileArchive(at: url, transport: files)
    #expect(try await archive.info().levels == 8...10)
    files.set(modified: "Tue, 02 Jan 2024 00:00:00 GMT")
    let tile = TileID(level: 10, row: 476, column: 540)
    await #expect(throws: TileCacheError.refused(url.absoluteString, status: 412)) {
      try await archive.tile(at: tile)
    }
    #expect(try await archive.tile(at: tile) != nil)
  }

  @Test(arguments: ["pmtiles", "tpkx"])
  func `Copies of a file with dates of their own are one file`(_ ending: String) async throws {
    let (data, region) = try await file(ending)
    let files = RangeServer(data)
    files.set(dates: ["Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 02 Jan 2024 00:00:00 GMT"])
    let url = try #require(URL(string: "https://files.example/area.\(ending)"))
    let archive = RemoteTileArchive(at: url, transport: files)
    #expect(try await archive.info().levels == 8...10)
    let ids = (470..<485).flatMap { row in
      (535..<555).map { TileID(level: 10, row: row, column: $0) }
    }.filter(region.plan.contains)
    for id in ids {
      let found = try await archive.tile(at: id)
      #expect(found?.data == TileServerStub.picture("/10/\(id.column)/\(id.row).png"))
    }
  }

  @Test func `A tile of a file that has changed is that of the new one`() async throws {
    let (data, _) = try await file("tpkx")
    let files = RangeServer(data)
    let config = try await TileSourceReader(transport: files)
      .source(at: "https://files.example/area.tpkx")
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "changed.sqlite"))
    let cache = MapCache(withConfig: config, store: store, transport: files, now: server.now)
    _ = try await cache.loadTile(at: TileID(level: 8, row: 0, column: 0))
    files.set(tag: "new")
    let loaded = try await cache.loadTile(at: TileID(level: 10, row: 476, column: 540))
    #expect(loaded.tile?.data == TileServerStub.picture("/10/540/476.png"))
  }

  @Test(arguments: [true, false])
  func `Pictures do not mix with the tiles of a file of vectors that takes the place of theirs`(
    _ isVector: Bool
  ) async throws {
    let vector = Data([0x1A, 0])
    let tile = TileID(level: 10, row: 476, column: 540)
    func archive(_ tile: Data, _ format: String, at id: TileID) throws -> Data {
      let url = temporaryDirectory.appending(path: "\(format).pmtiles")
      var writer = try PMTilesWriter(
        at: url,
        TilePackageDescription(
          name: "Town", scheme: .webMercator(tileSide: 256, levels: 0...10),
          fullExtent: Envelope(
            xMin: -20_037_508, yMin: -20_037_508, xMax: 20_037_508, yMax: 20_037_508),
          format: format))
      try writer.add(tile, at: id)
      try writer.finish()
      return try Data(contentsOf: url)
    }
    let pictures = try archive(TileServerStub.picture("x"), "PNG", at: tile)
    let vectors = try archive(vector, "PBF", at: tile)
    let before = RangeServer(isVector ? vectors : pictures)
    let config = try await TileSourceReader(transport: before)
      .source(at: "https://files.example/area.pmtiles")
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "other.sqlite"))
    let known = MapCache(withConfig: config, store: store, transport: before, now: server.now)
    #expect(try await known.loadTile(at: tile).tile?.format.isRaster == !isVector)
    let after = RangeServer(isVector ? pictures : vectors)
    let now = MapCache(withConfig: config, store: store, transport: after, now: server.now)
    await #expect(
      throws: TileCacheError.notATile(
        config.urlTemplate.withoutSecrets,
        reason: isVector ? "it is png, where pbf was due" : "it is pbf, where a picture was due")
    ) {
      try await now.loadTile(at: tile, mode: .serverOnly)
    }
    #expect(try await known.loadTile(at: tile, mode: .cacheOnly).tile?.format.isRaster == !isVector)
  }

  @Test
  func `A part of a file that has another size now is not taken for one of the file that was`()
    async throws
  {
    let (data, _) = try await file("tpkx")
    let files = RangeServer(data)
    let url = try #require(URL(string: "https://files.example/area.tpkx"))
    let archive = RemoteTileArchive(at: url, transport: files)
    #expect(try await archive.info().levels == 8...10)
    files.set(total: data.count + 1)
    let tile = TileID(level: 10, row: 476, column: 540)
    await #expect(throws: TileCacheError.refused(url.absoluteString, status: 412)) {
      try await archive.tile(at: tile)
    }
    files.set(total: nil)
    #expect(try await archive.tile(at: tile) != nil)
  }

  @Test func `Another part of a file than the requested one is not taken for it`() async throws {
    let (data, _) = try await file("tpkx")
    let files = RangeServer(data)
    let url = try #require(URL(string: "https://files.example/area.tpkx"))
    let archive = RemoteTileArchive(at: url, transport: files)
    #expect(try await archive.info().levels == 8...10)
    // As a proxy does that keeps one part, and answers with it whatever is requested.
    files.set(start: 0)
    let tile = TileID(level: 10, row: 476, column: 540)
    let error = TileCacheError.notATile(
      url.absoluteString, reason: "another part of the file arrived than the requested one")
    await #expect(throws: error) { try await archive.tile(at: tile) }
    files.set(start: nil)
    let found = try await archive.tile(at: tile)
    #expect(found?.data == TileServerStub.picture("/10/540/476.png"))
  }

  @Test func `A file of which less arrives than was requested is not read`() async throws {
    let (data, _) = try await file("pmtiles")
    let files = RangeServer(data)
    files.set(most: 300)
    let url = try #require(URL(string: "https://files.example/area.pmtiles"))
    let count = min(data.count, 65_536)
    let error = TileCacheError.notATile(
      url.absoluteString, reason: "300 of \(count) requested bytes arrived")
    await #expect(throws: error) {
      try await RemoteTileArchive(at: url, transport: files).info()
    }
  }

  @Test(arguments: ["pmtiles", "tpkx"])
  func `Many tiles of a file are read at a time`(_ ending: String) async throws {
    let (data, region) = try await file(ending)
    let url = try #require(URL(string: "https://files.example/area.\(ending)"))
    let archive = RemoteTileArchive(at: url, transport: RangeServer(data))
    let ids = (470..<485).flatMap { row in
      (535..<555).map { TileID(level: 10, row: row, column: $0) }
    }.filter(region.plan.contains)
    #expect(ids.count > 20)
    let found = try await withThrowingTaskGroup(of: (TileID, Data?).self) { group in
      for id in ids { group.addTask { (id, try await archive.tile(at: id)?.data) } }
      return try await group.reduce(into: [TileID: Data]()) { $0[$1.0] = $1.1 }
    }
    for id in ids {
      #expect(found[id] == TileServerStub.picture("/10/\(id.column)/\(id.row).png"))
    }
  }

  private static let refusals: [(Int, HTTPHeaders, TileCacheError)] = [
    (
      429, ["Retry-After": "90"],
      .tooManyRequests("https://files.example/area.pmtiles", retryAfter: .seconds(90))
    ),
    (429, [:], .tooManyRequests("https://files.example/area.pmtiles", retryAfter: nil)),
    (403, [:], .signInNeeded("https://files.example/area.pmtiles", status: 403)),
    (407, [:], .signInNeeded("https://files.example/area.pmtiles", status: 407)),
    (404, [:], .refused("https://files.example/area.pmtiles", status: 404)),
  ]

  @Test(arguments: refusals)
  func `A server that refuses a file says why, and how long it wants to be left alone`(
    _ status: Int, _ headers: HTTPHeaders, _ error: TileCacheError
  ) async throws {
    server.answer("/area.pmtiles", status, Data(), headers)
    await #expect(throws: error) {
      try await TileSourceReader(transport: server)
        .source(at: "https://files.example/area.pmtiles")
    }
    // So does one that is asked for a document.
    server.answer("/tiles.json", status, Data(), headers)
    let other = await #expect(throws: TileCacheError.self) {
      try await TileSourceReader(transport: server, now: server.now)
        .source(at: "https://files.example/tiles.json")
    }
    #expect(other?.isTransient == error.isTransient)
  }

  @Test(arguments: [5 << 20, 40 << 20])
  func `A tile that is larger than tiles may be is not loaded, or not kept`(
    _ size: Int
  ) async throws {
    let url = temporaryDirectory.appending(path: "large.pmtiles")
    let tile = TileID(level: 0, row: 0, column: 0)
    var writer = try PMTilesWriter(
      at: url,
      TilePackageDescription(
        name: "Large", scheme: .webMercator(tileSide: 256, levels: 0...0),
        fullExtent: Envelope(xMin: -1, yMin: -1, xMax: 1, yMax: 1)))
    try writer.add(TileServerStub.picture(String(repeating: "x", count: size)), at: tile)
    try writer.finish()
    let files = RangeServer(try Data(contentsOf: url))
    var config = try await TileSourceReader(transport: files).source(
      at: "https://files.example/large.pmtiles")
    config.tileByteLimit = 4 << 20
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "other.sqlite"))
    let cache = MapCache(withConfig: config, store: store, transport: files, now: server.now)
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
    #expect(files.requests < 8)
    #expect(try await cache.diskSize() == 0)
  }

  @Test func `A server that sends no parts is named`() async throws {
    let files = RangeServer(Data(repeating: 1, count: 100))
    files.ignoreRanges()
    let reader = TileSourceReader(transport: files)
    let error = await #expect(throws: TileCacheError.self) {
      try await reader.source(at: "https://files.example/area.pmtiles")
    }
    #expect(error?.errorDescription?.contains("does not send parts of files") == true)
  }

  @Test
  func `A service that is browsed is there without its server, and shares its regions' tiles`()
    async throws
  {
    let tile = TileID(level: 3, row: 2, column: 1)
    let service = SwitchedTiles(tile)
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    config.capacity = 1_000_000
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "browsed.sqlite"))
    let browsed = BrowsedTileSource(service, as: config, store: store, now: server.now)
    let first = try await browsed.tile(at: tile)
    #expect(first?.data == SwitchedTiles.data)
    service.isThere.withLock { $0 = false }
    #expect(try await browsed.tile(at: tile)?.data == SwitchedTiles.data)
    server.move(by: 365 * 86_400)
    #expect(try await browsed.tile(at: tile)?.data == SwitchedTiles.data)
    await #expect(throws: TileError.self) {
      try await browsed.tile(at: TileID(level: 4, row: 2, column: 1))
    }
    let cache = MapCache(
      withConfig: config, store: store, transport: server, now: server.now)
    #expect(try await cache.loadTile(at: tile, mode: .cacheOnly).tile?.data == SwitchedTiles.data)
  }

  @Test func `Half a tile of a service does not take the place of the one that is here`()
    async throws
  {
    let tile = TileID(level: 3, row: 2, column: 1)
    let service = SwitchedTiles(tile)
    let config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "browsed.sqlite"))
    let browsed = BrowsedTileSource(service, as: config, store: store, now: server.now)
    _ = try await browsed.tile(at: tile)
    server.move(by: 365 * 86_400)
    service.isCut.withLock { $0 = true }
    #expect(try await browsed.tile(at: tile)?.data == SwitchedTiles.data)
    service.isCut.withLock { $0 = false }
    service.isThere.withLock { $0 = false }
    #expect(try await browsed.tile(at: tile)?.data == SwitchedTiles.data)
  }

  @Test func `That a service had no tile hides none once that is long ago`() async throws {
    let tile = TileID(level: 4, row: 2, column: 3)
    let config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    let store = try TileCacheStore(at: temporaryDirectory.appending(path: "browsed.sqlite"))
    func browsed(_ service: SwitchedTiles) -> BrowsedTileSource {
      BrowsedTileSource(service, as: config, store: store, now: server.now)
    }
    let empty = SwitchedTiles(TileID(level: 4, row: 9, column: 9))
    #expect(try await browsed(empty).tile(at: tile) == nil)
    empty.isThere.withLock { $0 = false }
    // For a day nobody is asked.
    #expect(try await browsed(empty).tile(at: tile) == nil)
    server.move(by: 86_401)
    // It may be there by now, so that nobody says that it is not.
    await #expect(throws: TileError.self) { try await browsed(empty).tile(at: tile) }
    #expect(try await browsed(SwitchedTiles(tile)).tile(at: tile)?.data == SwitchedTiles.data)
  }
}

/// A server of one file that sends parts of it.
private final class RangeServer: HTTPTransport {
  private struct State {
    var requests = 0
    var tag = "old"
    var dates: [String] = []
    var total: Int?
    var start: Int?
    var most = Int.max
    var sendsParts = true
  }

  private let data: Data
  private let state = Locked(State())

  init(_ data: Data) { self.data = data }

  var requests: Int { state.withLock { $0.requests } }
  func set(tag: String) { state.withLock { $0.tag = tag } }
  /// Says when the file was changed last, and has no tag.
  func set(modified: String) { set(dates: [modified]) }
  /// As the same, behind which are machines with dates of their own that answer in turn.
  func set(dates: [String]) { state.withLock { $0.dates = dates } }
  /// Says that the file has another size; `nil` for the one that it has.
  func set(total: Int?) { state.withLock { $0.total = total } }
  /// Sends the part that begins there, whichever is requested; `nil` for the one that is.
  func set(start: Int?) { state.withLock { $0.start = start } }
  /// Sends no more bytes than these of a part.
  func set(most: Int) { state.withLock { $0.most = most } }
  func ignoreRanges() { state.withLock { $0.sendsParts = false } }

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let (tag, sendsParts, total) = state.withLock { state in
      state.requests += 1
      return (state.tag, state.sendsParts, state.total ?? data.count)
    }
    let (start, most, modified) = state.withLock { state in
      let date = state.dates.isEmpty ? nil : state.dates[state.requests % state.dates.count]
      return (state.start, state.most, date)
    }
    let numbers = (request.headers["Range"] ?? "").dropFirst("bytes=".count).split(separator: "-")
      .compactMap { Int($0) }
    guard sendsParts, numbers.count == 2 else {
      let head = HTTPResponseHead(status: 200, headers: [:], url: request.url)
      try sink.begin(head)
      try sink.receive(data.bytes)
      return head
    }
    let first = start ?? numbers[0]
    let count = min(numbers[1] + 1 - numbers[0], most)
    let range = first..<min(data.count, first + count)
    let part = Data(data[range])
    let head = HTTPResponseHead(
      status: 206,
      headers: [
        modified == nil ? "ETag" : "Last-Modified": modified ?? tag,
        "Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)",
      ], url: request.url)
    try sink.begin(head)
    try sink.receive(part.bytes)
    return head
  }
}
