import DemoPortal
import Foundation
import PortolanConversion
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPortal
import PortolanRendering
import PortolanTestSupport
import PortolanTiles
import PortolanTransport
import PortolanWebMaps
import Synchronization
import Testing

@testable import PortolanApp

/// Web maps that are open online, drawn from the services of the demo portal.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct OnlineDrawingTests {
  /// Passes requests on, and remembers their paths.
  private final class Counter: HTTPTransport {
    private let other: any HTTPTransport
    private let seen = Mutex<[HTTPRequest]>([])

    init(_ other: any HTTPTransport) { self.other = other }

    var requests: [HTTPRequest] { seen.withLock { $0 } }

    func send(
      _ request: HTTPRequest, into sink: any HTTPBodySink
    ) async throws(TransportError) -> HTTPResponseHead {
      seen.withLock { $0.append(request) }
      return try await other.send(request, into: sink)
    }
  }

  private struct Stage {
    let demo: DemoPortal
    let transport: Counter
    let model: WebMapModel
  }

  private static let root = "http://demo.portolan.example/arcgis/rest/services"

  private func stage() async throws -> Stage {
    let demo = try await DemoPortal.standard(
      state: DemoState(seed: 1, folder: temporaryDirectory.appending(path: "portal")))
    let transport = Counter(InProcessTransport(demo))
    let url = try #require(URL(string: "http://demo.portolan.example"))
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    return Stage(
      demo: demo, transport: transport,
      model: WebMapModel(
        portal: Portal(url: url, client: client), drawing: PictureDrawing())
    )
  }

  private static let vectors: JSONValue = [
    "id": "vectors", "title": "Vectors", "layerType": "VectorTileLayer",
    "styleUrl": .string("\(root)/MaineVector/VectorTileServer/resources/styles/root.json"),
  ]
  private static let tiles: JSONValue = [
    "id": "tiles", "title": "Tiles", "layerType": "ArcGISTiledMapServiceLayer",
    "url": .string("\(root)/MaineBackdrop/MapServer"),
  ]
  private static let imagery: JSONValue = [
    "id": "imagery", "title": "Imagery", "layerType": "ArcGISImageServiceLayer",
    "url": .string("\(root)/MaineImagery/ImageServer"),
  ]
  private static let drawn: JSONValue = [
    "id": "drawn", "title": "Drawn", "layerType": "ArcGISMapServiceLayer",
    "url": .string("\(root)/ExploreMaine/MapServer"),
  ]
  private static let lakes: JSONValue = [
    "id": "lakes", "title": "Lakes", "layerType": "ArcGISFeatureLayer",
    "url": .string("\(root)/ExploreMaine/FeatureServer/3"),
  ]

  @Test func `Places of an online map are found by its portal's geocode service`() async throws {
    let stage = try await stage()
    let map = try await open([Self.lakes], on: stage)
    await map.search.suggest("moosehead l")
    let index = try #require(
      map.search.state.proposals.firstIndex { $0.label.hasPrefix("Moosehead Lake") })
    try await map.search.choose(index)
    let place = try #require(map.search.state.selectedPlace)
    #expect(place.label.hasPrefix("Moosehead Lake") && place.kind == .address)
    let location = try #require(place.location)
    #expect(abs(location.x + 69.6) < 0.5 && abs(location.y - 45.6) < 0.5)
    await map.search.find("45.6, -69.6")
    #expect(map.search.state.places.map(\.kind) == [.coordinate])
    await map.search.findNearest(to: location, within: 1000, limit: 3)
    #expect(map.search.state.places.count == 1)
    await map.search.find("no such place anywhere")
    #expect(map.search.state == .found([], selection: nil))
  }

  @Test func `Layers that the author chose are found beside the places, also without those`()
    async throws
  {
    let stage = try await stage()
    let search: JSONValue = [
      "enabled": true, "layers": [["id": "lakes", "field": ["name": "name", "type": "x"]]],
    ]
    let map = try await open([Self.lakes], on: stage, search: search)
    await map.search.find("moosehead lake")
    let kinds = map.search.state.places.map(\.kind)
    #expect(kinds.first == .feature && kinds.contains(.address), "\(map.search.state)")
    await map.search.suggest("mooseh")
    try await map.search.choose(0)
    #expect(map.search.state.selectedPlace?.feature?.layerID == "lakes")
    _ = await stage.demo.state.add(
      DemoFault(.status(500, retryAfter: nil), path: "*/findAddressCandidates*"))
    await map.search.find("moosehead lake")
    #expect(map.search.state.places.first?.kind == .feature)
    #expect(!map.search.state.places.contains { $0.kind == .address })
  }

  @Test func `A geocode service that fails says why`() async throws {
    let stage = try await stage()
    let map = try await open([Self.lakes], on: stage)
    _ = await stage.demo.state.add(
      DemoFault(.status(500, retryAfter: nil), path: "*/GeocodeServer*"))
    await map.search.find("Moosehead Lake")
    guard case .failed(let problem) = map.search.state else {
      Issue.record("\(map.search.state)")
      return
    }
    #expect(!problem.message.isEmpty && problem.code == .serverError)
    await map.search.find("45.6, -69.6")
    #expect(map.search.state.places.map(\.kind) == [.coordinate])
  }

  @Test func `A geocode service that does not answer leaves the layers, and is asked again`()
    async throws
  {
    let stage = try await stage()
    let search: JSONValue = [
      "enabled": true, "layers": [["id": "lakes", "field": ["name": "name", "type": "x"]]],
    ]
    let map = try await open([Self.lakes], on: stage, search: search)
    _ = await stage.demo.state.add(
      DemoFault(.status(403, retryAfter: nil), path: "*/GeocodeServer", count: 1))
    await map.search.suggest("moosehead")
    #expect(map.search.state.proposals.first?.label.hasPrefix("Moosehead") == true)
    #expect(map.search.state.unsearched.count == 1, "\(map.search.state)")
    #expect(map.search.state.suggestionsJSON(for: "m")["unsearched"]?.array?.count == 1)
    await map.search.find("moosehead lake")
    #expect(map.search.state.places.contains { $0.kind == .address })
    #expect(map.search.state.unsearched == [])
  }

  private func open(
    _ layers: [JSONValue], on stage: Stage, search: JSONValue = [:]
  ) async throws -> MapModel {
    let document: JSONValue = [
      "applicationProperties": ["viewing": ["search": search]],
      "version": "2.31", "spatialReference": ["wkid": 102100],
      "initialState": [
        "viewpoint": [
          "targetGeometry": [
            "xmin": -7_880_000, "ymin": 5_360_000, "xmax": -7_480_000, "ymax": 5_660_000,
            "spatialReference": ["wkid": 102100],
          ]
        ]
      ],
      "baseMap": ["title": "None", "baseMapLayers": []], "operationalLayers": .array(layers),
    ]
    let file = temporaryDirectory.appending(path: "map.json")
    try Data(document.text().utf8).write(to: file)
    await stage.model.load(file)
    return try await stage.model.open()
  }

  /// The omissions, but for the glyphs that the font of the demo portal does not have.
  private static func missing(_ omissions: [PictureOmission]) -> [PictureOmission] {
    omissions.filter { !$0.reason.contains("fonts of this machine") }
  }

  private var options: SnapshotModel.Options {
    var options = SnapshotModel.Options()
    (options.width, options.height) = (400, 300)
    return options
  }

  @Test(arguments: ["vectors", "tiles", "imagery", "drawn", "lakes"])
  func `A layer of a service is drawn, and is asked for once`(_ id: String) async throws {
    let layers = [Self.vectors, Self.tiles, Self.imagery, Self.drawn, Self.lakes]
    let layer = try #require(layers.first { $0["id"]?.string == id })
    let stage = try await stage()
    let map = try await open([layer], on: stage)
    #expect(map.state.problems.isEmpty)
    let picture = try await map.snapshot.draw(options)
    #expect(Self.missing(picture.omissions).isEmpty)
    #expect(map.state.drawings[id]?.state == .drawn && map.state.drawings[id]?.isOnline == true)
    // A blank picture of this size is a few hundred bytes.
    #expect(picture.data.count > 1500)
    let count = stage.transport.requests.count
    #expect(try await map.snapshot.draw(options).data == picture.data)
    #expect(stage.transport.requests.count == count)
  }

  @Test func `Pictures of services are asked for in the size and reference of the map`()
    async throws
  {
    let stage = try await stage()
    let map = try await open([Self.drawn], on: stage)
    var options = options
    options.pixelRatio = 2
    _ = try await map.snapshot.draw(options)
    let request = try #require(
      stage.transport.requests.first { $0.url.path().hasSuffix("/export") })
    let size = (request.parameters["size"] ?? "").split(separator: ",").compactMap { Int($0) }
    // The visible extent, and a pixel around it.
    #expect(size.count == 2 && (800...804).contains(size[0]) && (600...604).contains(size[1]))
    #expect(request.parameters["dpi"] == "192" && request.parameters["transparent"] == "true")
    #expect(["102100", "3857"].contains(request.parameters["imageSR"]))
  }

  @Test func `A service that draws small pictures is asked for several`() async throws {
    let stage = try await stage()
    let map = try await open([Self.imagery], on: stage)
    var options = options
    options.pixelRatio = 4
    let picture = try await map.snapshot.draw(options)
    #expect(picture.width == 1600 && picture.omissions.isEmpty)
    let requests = stage.transport.requests.filter { $0.url.path().hasSuffix("/exportImage") }
    #expect(requests.count == 4)
  }

  @Test func `Areas of a service are simplified to half a pixel`() async throws {
    let stage = try await stage()
    let map = try await open([Self.lakes], on: stage)
    _ = try await map.snapshot.draw(options)
    let offsets = stage.transport.requests.compactMap { $0.parameters["maxAllowableOffset"] }
      .compactMap { Double($0) }
    let resolution = try map.snapshot.frame(for: options).resolution
    let metersOfDegree = 20_037_508.34 / 180
    #expect(!offsets.isEmpty)
    for offset in offsets {
      // The table may be in degrees.
      let meters = offset < 1 ? offset * metersOfDegree : offset
      #expect(abs(meters - resolution / 2) < resolution / 2)
    }
  }

  @Test(arguments: [
    ("vectors", "*VectorTileServer/tile/*"), ("tiles", "*MapServer/tile/*"),
    ("imagery", "*exportImage"), ("drawn", "*MapServer/export"), ("lakes", "*/query"),
  ])
  func `A refused request is reported with its layer, and repeated for the next picture`(
    _ id: String, _ path: String
  ) async throws {
    let layers = [Self.vectors, Self.tiles, Self.imagery, Self.drawn, Self.lakes]
    let layer = try #require(layers.first { $0["id"]?.string == id })
    let stage = try await stage()
    let map = try await open([layer], on: stage)
    let fault = await stage.demo.state.add(
      DemoFault(.failure(DemoFailure(code: 500, "Error performing operation")), path: path))
    let picture = try await map.snapshot.draw(options)
    #expect(!picture.omissions.isEmpty)
    guard case .failed(let reason)? = map.state.drawings[id]?.state else {
      Issue.record("\(String(describing: map.state.drawings[id]))")
      return
    }
    #expect(reason.hasSuffix(".") && !reason.contains("PortalError"))
    _ = await stage.demo.state.removeFaults(fault)
    let again = try await map.snapshot.draw(options)
    #expect(Self.missing(again.omissions).isEmpty)
    #expect(map.state.drawings[id]?.state == .drawn)
  }

  @Test func `Layers of kinds that are not drawn say so`() async throws {
    let stage = try await stage()
    let weather: JSONValue = [
      "id": "weather", "title": "Weather", "layerType": "WMS", "url": "https://wms.example",
    ]
    let map = try await open([weather, Self.lakes], on: stage)
    _ = try await map.snapshot.draw(options)
    guard case .notSupported(let reason)? = map.state.drawings["weather"]?.state else {
      Issue.record("\(String(describing: map.state.drawings["weather"]))")
      return
    }
    #expect(reason.contains("WMS"))
    #expect(map.state.drawings["lakes"]?.state == .drawn)
  }

  @Test func `A tile whose layer a server refuses is not final, and is drawn again`()
    async throws
  {
    let stage = try await stage()
    let map = try await open([Self.lakes], on: stage)
    let tile = TileID(level: 5, row: 11, column: 9)
    let fault = await stage.demo.state.add(
      DemoFault(.failure(DemoFailure(code: 500, "Error performing operation")), path: "*/query"))
    let refused = try await map.tiles.tile(at: tile, of: map.tiles.source())
    #expect(!refused.isFinal)
    #expect(map.state.drawings["lakes"]?.reason != nil)
    _ = await stage.demo.state.removeFaults(fault)
    let revision = map.state.drawingRevision
    map.drawMissingAgain()
    #expect(map.state.drawingRevision == revision + 1)
    #expect(map.state.drawings["lakes"]?.reason == nil)
    let whole = try await map.tiles.tile(at: tile, of: map.tiles.source())
    #expect(whole.isFinal && whole.tile != refused.tile)
    map.drawMissingAgain()
    #expect(map.state.drawingRevision == revision + 1)
  }

  @Test func `Tiles of an online map are drawn from its services`() async throws {
    let stage = try await stage()
    let map = try await open([Self.vectors, Self.lakes], on: stage)
    let file = temporaryDirectory.appending(path: "map.mbtiles")
    var options = MapTilesModel.Options()
    options.levels = 7...7
    options.extent = Envelope(xMin: -70, yMin: 43, xMax: -68, yMax: 45)
    let result = try await map.tiles.save(to: file, options)
    #expect(Self.missing(result.omissions).isEmpty && result.file.isComplete)
  }
}
