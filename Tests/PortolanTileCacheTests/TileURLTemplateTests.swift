import Foundation
import PortolanJSON
import PortolanTileCache
import PortolanTiles
import PortolanTransport
import Testing

@Suite struct TileURLTemplateTests {
  private static let tile = TileID(level: 3, row: 2, column: 5)

  @Test(arguments: [
    ("https://h/{z}/{x}/{y}.png", "https://h/3/5/2.png"),
    ("https://h/${z}/${x}/${y}.png", "https://h/3/5/2.png"),
    ("https://{s}.h/{z}/{x}/{y}", "https://b.h/3/5/2"),
    ("https://${s}.h/{z}/{x}/{y}", "https://b.h/3/5/2"),
    ("https://h/{z}/{x}/{-y}.png", "https://h/3/5/5.png"),
    ("https://h/t/{q}.jpg", "https://h/t/121.jpg"),
    ("https://h/{z}/{x}/{y}{r}.png", "https://h/3/5/2@2x.png"),
    ("https://h/MapServer/tile/{level}/{row}/{col}", "https://h/MapServer/tile/3/2/5"),
    ("https://h/%7Bz%7D/%7bx%7d/%7B-y%7D.png", "https://h/3/5/5.png"),
    ("https://h/%7B0A1B%7D/{z}/{x}/{y}.png", "https://h/%7B0A1B%7D/3/5/2.png"),
    ("https://{subDomain}.h/{zoom}/{x}/{y}", "https://b.h/3/5/2"),
    ("https://h/{z-1}/{x}/{y}", "https://h/2/5/2"),
    ("https://h/{zoom+2}/{x}/{y}", "https://h/5/5/2"),
    ("https://h/%7Blevel-3%7D/{row}/{col}", "https://h/0/2/5"),
    ("https://{switch:b,c}.h/t/{quadkey}", "https://b.h/t/121"),
    ("https://{a-c}.h/{z}/{x}/{y}{ratio}", "https://b.h/3/5/2@2x"),
    ("https://h/w/{TileMatrix}/{TileRow}/{TileCol}.png?k=1", "https://h/w/3/2/5.png?k=1"),
  ])
  func `Every placeholder has its value`(_ template: String, _ address: String) throws {
    let url = try TileURLTemplate(template).url(
      for: Self.tile, subdomain: "b", isHighResolution: true)
    #expect(url.absoluteString == address)
  }

  @Test(arguments: [
    "https://h/{z}/{x}.png", "https://h/{z}/{x}/{y}/{secret}", "ftp://h/{z}/{x}/{y}",
    "https://h/{z}/{x}/{y", "https://{switch:}.h/{z}/{x}/{y}", "https://{c-a}.h/{z}/{x}/{y}",
    "https://h/{z-}/{x}/{y}", "https://h/{z-1-1}/{x}/{y}", "https://h/{z}/{x-1}/{y}",
    "not an address {z} {x} {y}", "", "/{z}/{x}/{y}",
  ])
  func `A template that cannot work is refused, not crashed on`(_ template: String) {
    #expect(throws: TileCacheError.self) { try TileURLTemplate(template) }
  }

  @Test func `The words on a bad template hold no key`() {
    let error = #expect(throws: TileCacheError.self) {
      try TileURLTemplate("https://h/{z}/{x}?key=secret")
    }
    #expect(error?.errorDescription?.contains("secret") == false)
  }

  @Test func `Sub-domains come in the order of MapCache, which begins with the second`() {
    let turns = RoundRobin(["a", "b", "c"])
    #expect((0..<4).map { _ in turns.roundRobinSubdomain() } == ["b", "c", "a", "b"])
    #expect(RoundRobin([]).roundRobinSubdomain() == nil)
  }

  @Test(arguments: [
    ("{switch:t1,t2}", ["t1", "t2"]), ("{1-4}", ["1", "2", "3", "4"]), ("{a-c}", ["a", "b", "c"]),
    ("{s}", ["a", "b", "c"]),
  ])
  func `A template may name its sub-domains itself`(
    _ placeholder: String, _ subdomains: [String]
  ) throws {
    let config = try MapCacheConfig(withUrlTemplate: "https://\(placeholder).h/{z}/{x}/{y}.png")
    #expect(config.subdomains == subdomains)
    #expect(try MapCacheConfig(json: config.json).subdomains == subdomains)
  }

  private static let chances: [(Double, String)] = [
    (0, "a"), (0.4, "b"), (0.99, "c"), (1, "c"), (7, "c"), (-1, "a"), (.infinity, "c"), (.nan, "a"),
  ]

  @Test(arguments: chances)
  func `Any chance names a sub-domain`(_ chance: Double, _ subdomain: String) throws {
    let config = try MapCacheConfig(withUrlTemplate: "https://{s}.h/{z}/{x}/{y}.png")
    #expect(config.randomSubdomain(chance: chance) == subdomain)
    let single = try MapCacheConfig(withUrlTemplate: "https://h/{z}/{x}/{y}.png")
    #expect(single.randomSubdomain(chance: chance) == nil)
  }

  @Test func `The address and the key of a tile are MapCache's`() throws {
    let config = try MapCacheConfig(withUrlTemplate: "https://localhost/ok/{z}/{x}/{y}")
    let tile = TileID(level: 3, row: 2, column: 1)
    #expect(try config.url(forTilePath: tile).absoluteString == "https://localhost/ok/3/1/2")
    #expect(config.cacheKey(forPath: tile) == "https://localhost/ok/{z}/{x}/{y}-1-2-3")
  }

  @Test func `The defaults are MapCache's`() throws {
    let config = try MapCacheConfig(withUrlTemplate: "https://{s}.h/{z}/{x}/{y}.png")
    #expect(config.subdomains == ["a", "b", "c"])
    #expect(config.levels == 0...19)
    #expect(config.overZoomMaximumZ)
    #expect(config.cacheName == "MapCache")
    #expect(config.capacity == nil)
    #expect(config.tileSize == 256)
    #expect(config.loadTileMode == .cacheThenServer)
    #expect(!config.policy.allowsBulk)
    #expect(try MapCacheConfig(withUrlTemplate: "https://h/{q}", maximumZ: 0).maximumZ == 25)
    #expect(try MapCacheConfig(withUrlTemplate: "https://h/{q}", maximumZ: 99).maximumZ == 25)
  }

  @Test func `A source is read from TileJSON, also where rows count from the bottom`() throws {
    let document = try JSONValue(
      parsing: """
        {"tilejson": "3.0.0", "name": "Hills", "scheme": "tms", "tiles": ["t/{z}/{x}/{y}.png"],
          "minzoom": 2, "maxzoom": 9, "attribution": "Us", "format": "png"}
        """)
    let url = try #require(URL(string: "https://h:8080/maps/tiles.json"))
    let config = try MapCacheConfig(tileJSON: document, from: url)
    #expect(config.cacheName == "Hills")
    #expect(config.levels == 2...9)
    #expect(config.attribution == "Us")
    #expect(
      try config.url(forTilePath: Self.tile).absoluteString
        == "https://h:8080/maps/t/3/5/5.png")
  }

  @Test(arguments: ["{z}/{x}/{y}", "${z}/${x}/${y}", "{level}/{col}/{row}", "{z}/{x}/{-y}"])
  func `Rows count from the bottom however the placeholder is spelled`(
    _ template: String
  ) throws {
    let url = try #require(URL(string: "https://h/tiles.json"))
    let document: JSONValue = ["scheme": "tms", "tiles": [.string("t/\(template)")]]
    let config = try MapCacheConfig(tileJSON: document, from: url)
    #expect(try config.url(forTilePath: Self.tile).absoluteString == "https://h/t/3/5/5")
  }

  @Test func `Levels of a TileJSON may be written as texts`() throws {
    let url = try #require(URL(string: "https://h/tiles.json"))
    let document: JSONValue = ["tiles": ["t/{z}/{x}/{y}.png"], "minzoom": "2", "maxzoom": "9"]
    #expect(try MapCacheConfig(tileJSON: document, from: url).levels == 2...9)
  }

  @Test(
    arguments: [
      (["vector_layers": .null], nil, 256), (["vector_layers": []], .vectorTile, 512),
      (["vector_layers": [], "format": "png"], .png, 256), (["tileSize": 512], nil, 512),
      (["tileSize": 0], nil, 128),
    ] as [(JSONObject, TileFormat?, Int)])
  func `A TileJSON of pictures is one, whatever it says of vectors`(
    _ members: JSONObject, _ format: TileFormat?, _ side: Int
  ) throws {
    var document = members
    document["tiles"] = ["https://h/{z}/{x}/{y}"]
    document["name"] = ""
    document["attribution"] = " "
    let url = try #require(URL(string: "https://h/hills.json"))
    let config = try MapCacheConfig(tileJSON: .object(document), from: url)
    #expect(config.format == format && config.tileSize == side)
    // Without a name nothing could be asked of it.
    #expect(config.cacheName == "hills.json" && config.attribution == nil)
  }

  @Test(arguments: [(26, 30), (-1, 4), (5, 4)])
  func `A TileJSON whose levels no cache has is refused`(_ first: Int, _ last: Int) throws {
    let url = try #require(URL(string: "https://h/tiles.json"))
    let document: JSONValue = [
      "tiles": ["t/{z}/{x}/{y}.png"], "minzoom": .integer(Int64(first)),
      "maxzoom": .integer(Int64(last)),
    ]
    #expect(throws: TileCacheError.badSource("tiles.json", reason: "its levels are none")) {
      try MapCacheConfig(tileJSON: document, from: url)
    }
  }

  @Test(arguments: [
    ("//cdn/{z}/{x}/{y}.png", "https://cdn/3/5/2.png"),
    ("/t/{z}/{x}/{y}.png", "https://[::1]:8080/t/3/5/2.png"),
    ("../t/{z}/{x}/{y}.png", "https://[::1]:8080/t/3/5/2.png"),
    ("./t/{z}/{x}/{y}.png?of=http://x", "https://[::1]:8080/maps/t/3/5/2.png?of=http://x"),
    ("http://cdn/{z}/{x}/{y}.png", "http://cdn/3/5/2.png"),
  ])
  func `The tiles of a TileJSON are where it says, seen from it`(
    _ tiles: String, _ address: String
  ) throws {
    let url = try #require(URL(string: "https://[::1]:8080/maps/tiles.json?key=a/b"))
    let config = try MapCacheConfig(tileJSON: ["tiles": [.string(tiles)]], from: url)
    #expect(try config.url(forTilePath: Self.tile).absoluteString == address)
  }

  @Test func `A source is known again from its record, without its secrets`() throws {
    var config = try MapCacheConfig(
      withUrlTemplate: "https://h/{z}/{x}/{y}",
      cacheName: "name / \u{1F5FA} " + String(repeating: "x", count: 500),
      maximumZ: 12)
    config.headers = ["Authorization": "secret", "Referer": "https://me"]
    config.policy.allowsBulk = true
    let copy = try MapCacheConfig(json: config.json)
    #expect(copy.cacheName == config.cacheName)
    #expect(copy.levels == config.levels)
    #expect(copy.policy == config.policy)
    #expect(copy.headers["Referer"] == "https://me")
    #expect(copy.headers["Authorization"] == nil)
  }
}
