import Foundation
import PortolanArchives
import PortolanTestSupport
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

/// The answers that are taken for a tile, for none, and for no statement on it.
@Suite(.temporaryDirectory) struct TileAnswerTests {
  private let server = TileServerStub()
  private let tile = TileID(level: 3, row: 2, column: 1)
  private let path = "/3/1/2.png"

  private static let vector = Data([0x1A, 40]) + Data(repeating: 7, count: 40)
  private static let gzipped =
    Data([0x1F, 0x8B, 8, 0]) + Data(repeating: 0x77, count: 40) + Data([200, 0, 0, 0])

  private static func document(_ code: Int) -> Data {
    Data(#"{"error": {"code": \#(code), "message": "x"}}"#.utf8)
  }

  private static let absences: [(Int, Data)] = [
    (204, Data()), (404, Data()), (410, Data()), (404, document(500)), (200, document(404)),
    (200, document(422)), (400, exception("TileOutOfRange")),
  ]

  /// As a WMTS says what is wrong with a request.
  private static func exception(_ code: String) -> Data {
    Data(
      """
      <?xml version="1.0"?><ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="1.1.0">
      <Exception exceptionCode="\(code)" locator="TILECOLUMN"><ExceptionText>x</ExceptionText>
      </Exception></ExceptionReport>
      """.utf8)
  }

  @Test(arguments: absences)
  func `A server that has no such tile says so in several ways`(
    _ status: Int, _ body: Data
  ) async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, status, body)
    let loaded = try await cache.loadTile(at: tile)
    #expect(loaded.tile == nil && loaded.path == .fetched)
    #expect(try await cache.loadTile(at: tile).path == .hit)
    #expect(try await cache.store.statistics().absentCount == 1)
    #expect(server.requests.count == 1)
  }

  private static let others: [(Int, Data)] = [
    (200, document(400)), (200, document(503)), (400, Data()),
    (400, exception("InvalidParameterValue")), (418, Data()), (206, vector),
  ]

  @Test(arguments: others)
  func `A response that is not about a tile is not taken for its absence`(
    _ status: Int, _ body: Data
  ) async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, status, body)
    await #expect(throws: TileCacheError.self) { try await cache.loadTile(at: tile) }
    #expect(try await cache.store.statistics().absentCount == 0)
  }

  @Test func `An empty response means only for vector tiles that nothing is there`() async throws {
    let vectors = try MapCache.stub(server) { $0.format = .vectorTile }
    server.answer(path, 200, Data())
    #expect(try await vectors.loadTile(at: tile).tile == nil)
    let pictures = try MapCache.stub(server, { $0.format = .png }, file: "pictures.sqlite")
    await #expect(throws: TileCacheError.self) { try await pictures.loadTile(at: tile) }
  }

  private static let bodies: [(Data, Bool)] = [
    (vector, true), (gzipped, true), (TileServerStub.picture("x"), false),
  ]

  @Test(arguments: bodies)
  func `Vector tiles come compressed or not where they are due, and pictures do not`(
    _ body: Data, _ isTaken: Bool
  ) async throws {
    for format in [TileFormat.vectorTile, .gzippedVectorTile] {
      let cache = try MapCache.stub(
        server, { $0.format = format }, file: "\(format.rawValue).sqlite")
      server.answer(path, 200, body)
      // A refused tile is none.
      let loaded = try? await cache.loadTile(at: tile)
      #expect(loaded?.tile?.data == (isTaken ? body : nil))
    }
  }

  private static let documents: [(String, TileCacheError?)] = [
    (
      "\n<!DOCTYPE html><html>Sign in</html>",
      .notATile("https://h/3/1/2.png", reason: "it is a page of HTML")
    ),
    (
      #"{"error": {"code": 499, "message": "x"}}"#,
      .signInNeeded("https://h/3/1/2.png", status: 499)
    ),
    (#"{"error": {"code": 404, "message": "x"}}"#, nil),
  ]

  @Test(arguments: documents)
  func `A document that is compressed is no vector tile`(
    _ text: String, _ error: TileCacheError?
  ) async throws {
    let cache = try MapCache.stub(server) { $0.format = .vectorTile }
    server.answer(path, 200, try Gzip.compress(Data(text.utf8)))
    if let error {
      await #expect(throws: error) { try await cache.loadTile(at: tile) }
      #expect(try await cache.store.statistics().absentCount == 0)
    } else {
      #expect(try await cache.loadTile(at: tile).tile == nil)
    }
    server.answer(path, 200, try Gzip.compress(Self.vector))
    #expect(try await cache.fetchTileFromServer(at: tile).tile != nil)
  }

  @Test(arguments: [nil, "image/png", "application/x-protobuf"] as [String?])
  func `A picture that is compressed is no vector tile`(_ declared: String?) async throws {
    let cache = try MapCache.stub(server)
    var headers: HTTPHeaders = [:]
    headers["Content-Type"] = declared
    server.answer(path, 200, try Gzip.compress(TileServerStub.picture("x")), headers)
    let error = TileCacheError.notATile(
      "https://h/3/1/2.png", reason: "it is png that is compressed, which the server does not say")
    await #expect(throws: error) { try await cache.loadTile(at: tile) }
    #expect(try await cache.store.statistics().tileCount == 0)
  }

  @Test(arguments: [.vectorTile, nil] as [TileFormat?])
  func `A vector tile that is compressed twice is none`(_ due: TileFormat?) async throws {
    let cache = try MapCache.stub(server) { $0.format = due }
    server.answer(path, 200, try Gzip.compress(try Gzip.compress(Self.vector)))
    let error = TileCacheError.notATile(
      "https://h/3/1/2.png", reason: "it is compressed twice")
    await #expect(throws: error) { try await cache.loadTile(at: tile) }
    #expect(try await cache.store.statistics().tileCount == 0)
  }

  @Test func `The length of what travelled compressed is none of the tile`() async throws {
    let cache = try MapCache.stub(server)
    let picture = TileServerStub.picture("x")
    server.answer(path, 200, picture, ["Content-Length": "9", "Content-Encoding": "gzip"])
    #expect(try await cache.loadTile(at: tile).tile?.data == picture)
  }

  @Test(arguments: [
    ("application/octet-stream", true), ("image/png; charset=binary", true), ("image/jpg", false),
    ("image/webp", false),
  ])
  func `Only another kind of picture is held against a tile`(
    _ declared: String, _ isTaken: Bool
  ) async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, TileServerStub.picture("x"), ["Content-Type": declared])
    // A refused tile is none.
    let loaded = try? await cache.loadTile(at: tile)
    #expect((loaded?.tile != nil) == isTaken)
  }

  @Test func `A map is told in one sentence why it has no tile`() async throws {
    let cache = try MapCache.stub(server)
    server.answer(path, 500)
    let error = TileError.unreadable(
      file: "MapCache", reason: "https://h/3/1/2.png answered with status 500")
    await #expect(throws: error) { try await cache.tile(at: tile) }
  }

  // MARK: - What is known

  @Test func `A tile's freshness stays as set until the server changes it`()
    async throws
  {
    let cache = try MapCache.stub(server)
    server.answer(path, 200, TileServerStub.picture("x"), ["Cache-Control": "max-age=60"])
    _ = try await cache.loadTile(at: tile)
    server.move(by: 61)
    server.answer(path, 304)
    #expect(try await cache.loadTile(at: tile).path == .notModified)
    server.move(by: 60)
    #expect(try await cache.loadTile(at: tile).path == .hit)
    server.move(by: 1)
    server.answer(path, 304, Data(), ["Cache-Control": "max-age=600"])
    #expect(try await cache.loadTile(at: tile).path == .notModified)
    server.move(by: 600)
    #expect(try await cache.loadTile(at: tile).path == .hit)
    #expect(server.requests.count == 3)
  }

  @Test func `A cache-only lookup reports a stored absence of any age`() async throws {
    let cache = try MapCache.stub(server) { $0.absenceLifetime = 10 }
    server.answer(path, 404, Data())
    _ = try await cache.loadTile(at: tile)
    server.move(by: 86_400)
    let loaded = try await cache.loadTile(at: tile, mode: .cacheOnly)
    #expect(loaded.tile == nil && loaded.path == .staleHit)
    #expect(server.requests.count == 1)
  }

  @Test func `A tile below the first level of its source is not asked for`() async throws {
    let cache = try MapCache.stub(server) { $0.minimumZ = 4 }
    let levels = cache.config.levels
    await #expect(throws: TileCacheError.outsideSource(tile, levels: levels)) {
      try await cache.loadTile(at: tile)
    }
    #expect(server.requests.isEmpty && levels.lowerBound == 4)
  }
}
