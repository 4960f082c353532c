import Foundation
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPortal
import PortolanRendering
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanApp

/// The screens that stand beside an open map, through `Observations` alone.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ScreenObservationTests {
  // MARK: - What is stored and set

  @Test func `A setting that is changed is seen with where it comes from`() async throws {
    let model = SettingsModel(file: MemorySettingsFile())
    let states = try await Observed.states {
      model.state
    } until: {
      $0.pageSize == 50
    } while: {
      try await model.set(.pageSize, to: "50")
    }
    #expect(states.map { $0.origin(of: .pageSize) } == [.defaultValue, .file])
  }

  @Test func `A request that waits for a sign-in is a question until it is answered`() async throws
  {
    let model = AuthenticationPromptModel()
    model.isAttended = true
    let url = try #require(URL(string: "https://gis.example.org/portal"))
    let prompt = AuthenticationPrompt(
      portal: try #require(PortalURL(root: url)), host: "server.example", username: "kim",
      reason: .expired)
    let asked = try await Observed.states {
      model.state
    } until: {
      !$0.isEmpty
    } while: {
      Task { _ = await model.answer(prompt) }
    }
    #expect(asked.first == [] && asked.last?.map(\.username) == ["kim"])
    let id = try #require(asked.last?.first?.id)
    let answered = try await Observed.states {
      model.state
    } until: {
      $0.isEmpty
    } while: {
      model.finish(id, .cancelled)
    }
    #expect(answered.map(\.count) == [1, 0])
  }

  // MARK: - Portals

  @Test func `A portal says what it is, and one that does not answer why`() async throws {
    let model = PortalInformationModel(portals: SelfPortals())
    let states = try await Observed.states {
      model.state
    } until: {
      if case .loaded = $0 { true } else { false }
    } while: {
      _ = try await model.load()
    }
    guard case .loaded(let information) = states.last else { return }
    #expect(states.first == .empty)
    #expect(information.name == "Harbour Maps" && information.product == "ArcGIS Enterprise")
    let failing = try await Observed.states {
      model.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      await #expect(throws: Problem.self) { try await model.load(URL(string: "https://off")) }
    }
    #expect(failing.last == .failed(Problem(PortalError.transport(.offline))))
  }

  @Test func `A web map is seen with what became of each layer`() async throws {
    let model = WebMapModel(portal: StubWebMap.portal())
    let states = try await Observed.states {
      model.state
    } until: {
      $0.contents?.layers.allSatisfy { ![.notLoaded, .loading].contains($0.status) } ?? false
    } while: {
      await model.load(StubWebMap.mapID)
    }
    #expect(states.first == .empty)
    #expect(
      states.last?.contents?.layers.map { $0.problem?.kind } == [nil, nil, .signIn, .absence, nil])
    let skipped = try await Observed.states {
      model.state.contents?.layers.first { $0.id == "secret" }?.status
    } until: {
      $0 == .skipped
    } while: {
      try await model.skip("secret")
    }
    #expect(skipped.count == 2)
  }

  // MARK: - Files

  @Test func `Tiles are written, and too many of them are not`() async throws {
    let memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    let map = MapModel(
      map: try memory.map([MemoryMap.layer("a")]), drawing: PictureDrawing())
    await map.load()
    var options = MapTilesModel.Options()
    options.levels = 17...17
    options.extent = Envelope(xMin: -0.001, yMin: -0.001, xMax: 0.001, yMax: 0.001)
    let states = try await Observed.states {
      map.tiles.state
    } until: {
      if case .written = $0 { true } else { false }
    } while: {
      let file = temporaryDirectory.appending(path: "a.mbtiles")
      _ = try await map.tiles.save(to: file, options)
    }
    guard case .written(let result) = states.last else { return }
    #expect(states.first == .idle && result.isComplete)
    let failing = try await Observed.states {
      map.tiles.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      options.levels = 23...23
      options.extent = Envelope(xMin: -10, yMin: -10, xMax: 10, yMax: 10)
      let file = temporaryDirectory.appending(path: "b.mbtiles")
      await #expect(throws: Problem.self) { try await map.tiles.save(to: file, options) }
    }
    #expect(failing.first == .written(result))
  }

  @Test func `A package is made from a specification, and without one it is not`() async throws {
    let places = temporaryDirectory.appending(path: "places.geojson")
    try Data(Self.places.utf8).write(to: places)
    let specification = temporaryDirectory.appending(path: "places.json")
    try Data(Self.specification.utf8).write(to: specification)
    let model = AuthoringModel()
    let states = try await Observed.states {
      model.state
    } until: {
      if case .done = $0 { true } else { false }
    } while: {
      let output = temporaryDirectory.appending(path: "places.mmpk")
      _ = try await model.create(.init(specification, to: output))
    }
    #expect(states.first == .idle && states.last?.canCreate == true)
    let failing = try await Observed.states {
      model.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      let (none, output) = (
        temporaryDirectory.appending(path: "none.json"),
        temporaryDirectory.appending(path: "none.mmpk")
      )
      await #expect(throws: (any Error).self) { try await model.create(.init(none, to: output)) }
    }
    #expect(failing.count >= 2)
  }

  private static let places = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"NAME": "a"},
       "geometry": {"type": "Point", "coordinates": [-68.2, 44.3]}}]}
    """
  private static let specification = """
    {"title": "Places", "summary": "Where they are.", "tags": ["places"],
     "data": {"Places": {"file": "places.geojson"}},
     "maps": [{"name": "places", "layers": [{"data": "Places"}]}]}
    """

  // MARK: - Legend and sharing

  @Test func `The legend loses a layer that is switched off`() async throws {
    var memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    memory.drawingInfo = DrawingInfo(json: [
      "renderer": [
        "type": "simple", "symbol": ["type": "esriSMS", "style": "esriSMSCircle", "size": 8],
      ]
    ])
    let map = MapModel(map: try memory.map([MemoryMap.layer("a")]))
    await map.load()
    let states = try await Observed.states {
      map.legend.state
    } until: {
      $0.sections.isEmpty
    } while: {
      map.tableOfContents.setOn("a", false)
    }
    #expect(states.first?.sections.map(\.id) == ["a"])
  }

  @Test func `A file that cannot be shared is a failure, and another can be`() async throws {
    let model = SharingModel(
      portals: SelfPortals(), packages: FilePackageOpener(unpackingInto: temporaryDirectory),
      ledger: InMemoryUploadLedger())
    let states = try await Observed.states {
      model.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      let none = temporaryDirectory.appending(path: "none.gpkg")
      await #expect(throws: (any Error).self) {
        try await model.share(SharingModel.Request(none), on: nil)
      }
    }
    #expect(states.first == .idle && states.last?.canShare == true)
  }
}

/// A portal that says what it is, and none at `off`.
private struct SelfPortals: PortalConnecting {
  private static let itself =
    #"{"isPortal":true,"portalName":"Harbour Maps","name":"Harbour Survey","#
    + #""currentVersion":"11.3","supportsOAuth":true}"#

  func portal(at url: URL?) async throws(PortalError) -> Portal {
    if url?.host() == "off" { throw .transport(.offline) }
    let transport = StubTransport { request throws(TransportError) in
      .json(Self.itself, to: request)
    }
    return Portal(
      url: url ?? PortalURL.arcGISOnline.root,
      client: RESTClient(transport: transport, authenticator: AnonymousAuthenticator()))
  }
}
