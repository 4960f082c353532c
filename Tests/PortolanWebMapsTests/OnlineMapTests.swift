import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

@testable import PortolanWebMaps

@Suite(.temporaryDirectory) struct OnlineMapTests {
  private let portal = StubPortal.portal()

  private func load(_ id: String) async throws -> OnlineMap {
    try await OnlineMap.load(PortalItem.ID(id), from: portal)
  }

  private func layer(_ id: String, of map: OnlineMap) throws -> Layer {
    let layers = map.webMap.operationalLayers + map.webMap.basemap.layers
    return try #require(layers.first { $0.id == id })
  }

  @Test func `A map is loaded by its item, and nothing of its document is lost`() async throws {
    let map = try await load(StubPortal.mapID)
    #expect(map.title == "Explore" && map.item?.id.text == StubPortal.mapID)
    #expect(map.webMap.json["keep"]?["me"] == 1)
    #expect(map.webMap.bookmarks.map(\.name) == ["Old"])
  }

  @Test func `An item that is no map is refused by name`() async throws {
    await #expect(
      throws: OnlineMapError.notAWebMap(title: "Package", kind: "Mobile Map Package")
    ) { try await load(StubPortal.packageID) }
    await #expect(throws: OnlineMapError.empty(title: "Empty")) {
      try await load(StubPortal.emptyID)
    }
    await #expect(throws: OnlineMapError.self) {
      try await load("ffffffffffffffffffffffffffffffff")
    }
  }

  @Test func `A map is loaded from a file as well`() async throws {
    let file = temporaryDirectory.appending(path: "Maine.json")
    try Data(StubPortal.map.utf8).write(to: file)
    #expect(try await OnlineMap.load(file).title == "Maine")
    try Data("{}".utf8).write(to: file)
    await #expect(throws: OnlineMapError.self) { try await OnlineMap.load(file) }
    await #expect(throws: OnlineMapError.self) {
      try await OnlineMap.load(temporaryDirectory.appending(path: "absent.json"))
    }
  }

  @Test(arguments: [
    ("parks", true), ("secret", false), ("lost", false), ("moved", false), ("notes", true),
    ("drawn", true), ("wms", false), ("nowhere", false), ("base", true), ("bing", false),
  ])
  func `Each layer is loaded or says why not`(_ id: String, _ isLoaded: Bool) async throws {
    let map = try await load(StubPortal.mapID)
    let contents = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    let layer = try layer(id, of: map)
    let status = await contents.load(layer)
    #expect((status == .loaded) == isLoaded, "\(status)")
    let content = await contents.content(of: layer)
    #expect((content.problem == nil) == isLoaded)
    if case .failed(let error) = status { #expect(error.errorDescription?.isEmpty == false) }
  }

  @Test func `Features of a layer can be asked for once it is loaded`() async throws {
    let map = try await load(StubPortal.mapID)
    let contents = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    let notes = try #require(await contents.content(of: layer("notes", of: map)).features.first)
    let features = try await notes.store.features(
      in: notes.schema.name, matching: notes.limited(.init())
    ).collect()
    #expect(features.count == 1)
  }

  @Test func `A layer that wants a sign-in opens with other credentials`() async throws {
    let map = try await load(StubPortal.mapID)
    let contents = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    let layer = try layer("secret", of: map)
    let refusal = OnlineMapError.portal(.signInNeeded(host: "server.example"))
    #expect(await contents.load(layer) == .failed(refusal))
    #expect(await contents.load(layer, with: StubPortal.client(token: "t")) == .loaded)
    #expect(await contents.content(of: layer).features.count == 1)
  }

  @Test func `A Bing layer asks for its key`() async throws {
    let map = try await load(StubPortal.mapID)
    let layer = try layer("bing", of: map)
    let without = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    #expect(await without.load(layer) == .failed(.bingKeyNeeded))
    let with = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey("key"))
    #expect(await with.load(layer) == .loaded)
  }

  @Test func `A service that draws provides its legend and its identify operation`()
    async throws
  {
    let map = try await load(StubPortal.mapID)
    let contents = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    guard
      case .pictures(_, let legend, let tables) = try await contents.content(
        of: layer("drawn", of: map))
    else {
      Issue.record("it is no service")
      return
    }
    #expect(legend.map(\.name) == ["Park"])
    guard case .pictureMarker(let picture)? = legend.first?.symbol else {
      Issue.record("its symbol is no picture")
      return
    }
    #expect(picture.width == 15 && picture.height == 30)
    #expect(tables.map(\.schema.name) == ["Parks"])
  }

  @Test func `A service is asked once for all its layers, and again after a failure`()
    async throws
  {
    let transport = StubPortal.transport()
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let tables = ServiceTables(client)
    let parks = StubPortal.url("https://server.example/services/Parks/FeatureServer")
    let lost = StubPortal.url("https://server.example/services/Lost/FeatureServer")
    async let first = tables.service(parks)
    async let second = tables.service(parks)
    let counts = try await [first.tables.count, second.tables.count]
    #expect(counts == [1, 1])
    _ = try await tables.service(parks)
    for _ in 1...2 {
      await #expect(throws: PortalError.self) { _ = try await tables.service(lost) }
    }
    let paths = transport.requests.map { $0.url.path() }
    #expect(paths.count { $0.contains("Parks") } == 1)
    #expect(paths.count { $0.hasSuffix("Lost/FeatureServer/layers") } == 2)
  }

  @Test func `A Bing layer opens once its key is there`() async throws {
    let map = try await load(StubPortal.mapID)
    let layer = try layer("bing", of: map)
    let keys = LateBingKey()
    let contents = OnlineLayerContents(portal: portal, bingKeys: keys)
    #expect(await contents.load(layer) == .failed(.bingKeyNeeded))
    keys.set("key")
    #expect(await contents.load(layer) == .loaded)
  }

  @Test func `A layer that was left out stays out until it is asked for again`() async throws {
    let map = try await load(StubPortal.mapID)
    let contents = OnlineLayerContents(portal: portal, bingKeys: FixedBingKey(nil))
    let layer = try layer("parks", of: map)
    await contents.skip(layer)
    #expect(await contents.content(of: layer).problem == "You chose to do without this layer.")
    #expect(await contents.load(layer) == .loaded)
  }

  @Test(
    arguments: [
      ("https://a.example/x/FeatureServer/3", "https://a.example/x/FeatureServer", 3),
      ("//a.example/x/FeatureServer/3/?token=secret", "https://a.example/x/FeatureServer", 3),
      (" http://a.example:8080/x/MapServer/ ", "http://a.example:8080/x/MapServer", nil),
      ("https://a.example/tiles/12", "https://a.example/tiles/12", nil),
    ] as [(String, String, Int?)])
  func `Layer URLs are split, and lose their secrets`(
    _ text: String, _ service: String, _ layer: Int?
  ) throws {
    let address = try #require(ServiceAddress(text))
    #expect(address.service.absoluteString == service)
    #expect(address.layerID == layer)
  }

  @Test(arguments: ["", "file:///etc/passwd", "ftp://a.example", "nowhere", "javascript:alert(1)"])
  func `What is no address on the web is none of a layer`(_ text: String) {
    #expect(ServiceAddress(text) == nil)
  }
}

/// A key that somebody gives while the map is loaded.
private final class LateBingKey: BingKeySource {
  private let key = Mutex<String?>(nil)

  func set(_ text: String) { key.withLock { $0 = text } }

  func bingKey() -> String? { key.withLock { $0 } }
}
