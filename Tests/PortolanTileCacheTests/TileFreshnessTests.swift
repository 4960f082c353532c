import Foundation
import PortolanJSON
import PortolanTransport
import Testing

@testable import PortolanTileCache

/// The time for which a tile counts as new.
@Suite struct TileFreshnessTests {
  private static let sent = "Thu, 01 Jan 2026 00:00:00 GMT"
  private static let later = "Thu, 01 Jan 2026 00:01:30 GMT"
  private static let fetched = Date(timeIntervalSince1970: 1_767_225_600)

  private static let answers: [(HTTPHeaders, Double?)] = [
    ([:], nil), (["Cache-Control": "max-age=60"], 60),
    (["Cache-Control": "public, MAX-AGE=60"], 60),
    (["Cache-Control": "public", "cache-control": "max-age=60"], 60),
    (["Cache-Control": "max-age=inf, max-age=60"], 60),
    (["Cache-Control": "public, max-age=\"60\""], 60),
    // The time that it spent in other caches is over.
    (["Cache-Control": "max-age=60", "Age": "20"], 40),
    (["Cache-Control": "max-age=60", "Age": "90"], 0),
    (["Cache-Control": "max-age=60", "Age": "-90"], 60),
    (["Cache-Control": "max-age=60, no-cache"], 0),
    (["Cache-Control": "max-age=60", "Expires": sent, "Date": sent], 60),
    (["Cache-Control": "max-age=soon", "Expires": later, "Date": sent], 90),
    (["Expires": later, "Date": sent], 90), (["Expires": sent, "Date": later], 0),
    (["Expires": "0", "Date": sent], 0), (["Expires": "0"], 0),
    // A server that does not tell the time has sent it when it came.
    (["Expires": later], 90), (["Expires": later, "Date": "today"], 90),
    (["Expires": later, "Date": sent, "Age": "20"], 70),
    (["Expires": later, "Date": sent, "Age": "100"], 0), (["Expires": later, "Age": "20"], 70),
  ]

  @Test(arguments: answers)
  func `A tile's freshness is set by the server, counted from when it sent it`(
    _ headers: HTTPHeaders, _ lifetime: Double?
  ) { #expect(TileFreshness(headers, receivedAt: Self.fetched).lifetime == lifetime) }

  @Test func `Where the server tells the time, ours does not matter`() {
    let headers: HTTPHeaders = ["Expires": Self.later, "Date": Self.sent]
    #expect(TileFreshness(headers, receivedAt: .distantPast).lifetime == 90)
    #expect(TileFreshness(headers, receivedAt: .distantFuture).lifetime == 90)
  }

  @Test(arguments: [
    TileExpiry.standard, .never, .fixed(seconds: 60), .server(unlessTold: 30),
  ])
  func `The freshness of tiles is kept with their source`(
    _ expiry: TileExpiry
  ) throws {
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    config.expiry = expiry
    #expect(try MapCacheConfig(json: config.json).expiry == expiry)
    #expect((config.json["expiry"] == nil) == (expiry == .standard))
  }

  @Test(arguments: [
    ("no-store", true), ("max-age=60,NO-STORE", true), ("private", false), ("x-no-store", false),
    ("no-cache", false),
  ])
  func `Only what must not be stored is not stored`(_ directives: String, _ mayNot: Bool) {
    let freshness = TileFreshness(["Cache-Control": directives], receivedAt: Self.fetched)
    #expect(freshness.mayNotBeStored == mayNot)
  }

  /// An expiry, what the server said, an age, and whether a tile of that age is new.
  private static let ages: [(TileExpiry, Double?, Double, Bool)] = [
    (.never, nil, 1e9, true), (.never, 1, 1e9, true), (.never, nil, -1, false),
    (.fixed(seconds: 10), nil, 10, true), (.fixed(seconds: 10), nil, 11, false),
    (.fixed(seconds: 10), 60, 11, false), (.fixed(seconds: 10), nil, -1, false),
    (.server(unlessTold: 10), nil, 10, true), (.server(unlessTold: 10), nil, 11, false),
    (.server(unlessTold: 10), 60, 60, true), (.server(unlessTold: 10), 60, 61, false),
    (.server(unlessTold: 10), 0, 1, false), (.server(unlessTold: 10), 60, -1, false),
  ]

  @Test(arguments: ages)
  func `A tile is new for as long as its source is set to, and never before it came`(
    _ expiry: TileExpiry, _ told: Double?, _ age: Double, _ isFresh: Bool
  ) throws {
    let now = Self.fetched.addingTimeInterval(age)
    #expect(expiry.isFresh(fetched: Self.fetched, lifetime: told, now: now) == isFresh)
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    config.expiry = expiry
    let tile = StoredTile(data: Data("x".utf8), fetched: Self.fetched, lifetime: told)
    #expect(config.isFresh(tile, now: now) == isFresh)
  }

  @Test(arguments: [TileExpiry.never, .fixed(seconds: 10), .server(unlessTold: 10)])
  func `That there is no tile is known for a time of its own, or less if the server says so`(
    _ expiry: TileExpiry
  ) throws {
    var config = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    config.expiry = expiry
    config.absenceLifetime = 100
    let absence = StoredTile(data: nil, fetched: Self.fetched, lifetime: 10_000)
    #expect(config.isFresh(absence, now: Self.fetched.addingTimeInterval(100)))
    #expect(!config.isFresh(absence, now: Self.fetched.addingTimeInterval(101)))
    let brief = StoredTile(data: nil, fetched: Self.fetched, lifetime: 10)
    #expect(config.isFresh(brief, now: Self.fetched.addingTimeInterval(10)))
    #expect(!config.isFresh(brief, now: Self.fetched.addingTimeInterval(11)))
  }
}
