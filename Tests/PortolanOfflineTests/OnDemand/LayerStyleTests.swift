import DemoPortal
import Foundation
import PortolanJSON
import PortolanJobs
import PortolanLibrary
import PortolanLocks
import PortolanMap
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanOffline

/// Styles that layers of vector tiles have in place of that of their service.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct LayerStyleTests {
  private static let item = "0123456789abcdef0123456789abcdef"
  private static let folder = "https://demo.test/sharing/rest/content/items/\(item)/resources"

  /// The basemap of the demo portal in the style of an item.
  private static let layer: JSONValue = [
    "id": "vectors", "title": "Vectors", "layerType": "VectorTileLayer",
    "url": .string(OfflineJobBed.service("MaineVector", "VectorTileServer")),
    "styleUrl": .string("\(folder)/styles/root.json"),
  ]

  private static let style = """
    {"version": 8, "sources": {"esri": {"type": "vector", "url": "https://elsewhere.example/tiles"}},
     "sprite": "../sprites/sprite", "glyphs": "\(folder)/fonts/{fontstack}/{range}.pbf",
     "layers": [
      {"id": "sea", "type": "background", "paint": {"background-color": "#123456"}},
      {"id": "names", "type": "symbol", "source": "esri", "source-layer": "towns",
       "layout": {"text-field": "{NAME}", "text-font": ["Noto Sans Regular"]}}]}
    """

  /// A job on the demo portal, whose item has some files.
  private func takenOffline(
    _ files: [String: String]
  ) async throws -> (made: OfflineJobBed.Made, layer: Layer) {
    let bed = try await OfflineJobBed(in: temporaryDirectory) { inner in
      StyleItem(inner: inner, folder: "/items/\(Self.item)/resources/", files: files)
    }
    let made = try await bed.make(
      try await bed.parameters(operational: [], basemap: [Self.layer]))
    return (made, try #require(made.map.basemap.layers.first))
  }

  private func text(_ path: String, _ made: OfflineJobBed.Made, _ layer: Layer) throws -> String {
    let place = try #require(layer.json["itemPath"]?.string.flatMap(PackagePath.init(parsing:)))
    let folder = try place.resolved(relativeTo: "p13")
    return try String(
      contentsOf: made.url.appending(path: "\(folder)/resources/\(path)"), encoding: .utf8)
  }

  private static let complete = [
    "styles/root.json": style, "sprites/sprite.json": "{}", "sprites/sprite.png": "icons",
    "sprites/sprite@2x.json": "{}", "sprites/sprite@2x.png": "large icons",
    "fonts/Noto Sans Regular/0-255.pbf": "Latin",
    "fonts/Noto Sans Regular/1024-1279.pbf": "Cyrillic",
  ]

  @Test func `A basemap is stored with the style of its item, with icons and glyphs`()
    async throws
  {
    let (made, layer) = try await takenOffline(Self.complete)
    #expect(made.outcome.failedItems.isEmpty)
    let style = try JSONValue(parsing: try text("styles/root.json", made, layer))
    #expect(style["layers"]?[0]?["id"]?.string == "sea")
    #expect(style["sprite"]?.string == "../sprites/sprite")
    #expect(style["glyphs"]?.string == "../fonts/{fontstack}/{range}.pbf")
    #expect(try text("sprites/sprite.png", made, layer) == "icons")
    #expect(try text("sprites/sprite@2x.png", made, layer) == "large icons")
    #expect(try text("fonts/Noto Sans Regular/0-255.pbf", made, layer) == "Latin")
    #expect(try text("fonts/Noto Sans Regular/1024-1279.pbf", made, layer) == "Cyrillic")
  }

  @Test func `A style that cannot be loaded is reported, and that of the service is drawn`()
    async throws
  {
    let (made, layer) = try await takenOffline([:])
    #expect(layer.path != nil && layer.json["itemPath"] == nil)
    #expect(made.outcome.failedItems.map(\.name) == ["Vectors (style)"])
    #expect(made.outcome.failedItems.first?.failure.message.contains("its service") == true)
  }

  @Test func `Icons that cannot be loaded are reported, and the style is stored`() async throws {
    var files = Self.complete
    files["sprites/sprite.png"] = nil
    let (made, layer) = try await takenOffline(files)
    #expect(made.outcome.failedItems.map(\.name) == ["Vectors (style)"])
    #expect(try text("styles/root.json", made, layer).contains("background"))
  }

  @Test(arguments: ["styles/root.json", "sprites/sprite.png", "fonts/Noto Sans Regular/0-255.pbf"])
  func `A style that is stored stays as it is where it cannot be loaded once more`(
    _ missing: String
  ) async throws {
    let absent = Locked<String?>(nil)
    let bed = try await OfflineJobBed(in: temporaryDirectory) { inner in
      StyleItem(
        inner: inner, folder: "/items/\(Self.item)/resources/", files: Self.complete,
        absent: absent)
    }
    let order = try OfflineJobOrder(
      GenerateOfflineMapJobParameters(
        parameters: try await bed.parameters(operational: [], basemap: [Self.layer])),
      title: "Casco")
    #expect(try await bed.run(order).outcome.failedItems.isEmpty)
    let map = try #require(try await bed.bed.library.maps().first)
    absent.withLock { $0 = missing }
    // As where another part is asked for again.
    let journal = OfflineJobBed.Journal()
    #expect(try await bed.run(order, journal).outcome.failedItems.isEmpty)
    #expect(try await bed.bed.library.maps() == [map])
    let messages = await journal.messages
    #expect(!messages.contains { $0.contains("other fonts stand in") })
  }

  @Test func `A layer whose style is that of its service has none of its own`() async throws {
    let bed = try await OfflineJobBed(in: temporaryDirectory)
    var json = try #require(OfflineJobBed.vectors.object)
    let service = OfflineJobBed.service("MaineVector", "VectorTileServer")
    json["styleUrl"] = .string("\(service)/resources/styles/root.json")
    let made = try await bed.make(
      try await bed.parameters(operational: [], basemap: [.object(json)]))
    let layer = try #require(made.map.basemap.layers.first)
    #expect(layer.path != nil && layer.json["itemPath"] == nil)
    #expect(made.outcome.failedItems.isEmpty)
  }
}

/// Answers for the files of an item, and hands other requests on.
private struct StyleItem: HTTPTransport {
  let inner: any HTTPTransport
  let folder: String
  let files: [String: String]
  /// The path of one that it does not have for now.
  var absent = Locked<String?>(nil)

  func send(
    _ request: HTTPRequest, into sink: any HTTPBodySink
  ) async throws(TransportError) -> HTTPResponseHead {
    let path = request.url.path(percentEncoded: false)
    guard let place = path.range(of: folder) else {
      return try await inner.send(request, into: sink)
    }
    let name = String(path[place.upperBound...])
    let text = absent.withLock { $0 } == name ? nil : files[name]
    let type = path.hasSuffix(".json") ? "application/json" : "application/octet-stream"
    let head = HTTPResponseHead(
      status: text == nil ? 404 : 200, headers: ["Content-Type": "\(type)"], url: request.url)
    try sink.begin(head)
    try sink.receive(Data((text ?? "").utf8).bytes)
    return head
  }
}
