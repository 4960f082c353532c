import Foundation
import PortolanJSON
import PortolanTestSupport
import Testing

@testable import DemoPortal

/// An area that somebody chose, from the first question to the map without a network.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct TakeOfflineTests {
  private static let area = "-70.6,43.4,-69.9,43.9"
  private static let scales = "--min-scale 5000000 --max-scale 500000"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withPortal(_ body: (ServedDemoPortal) async throws -> Void) async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal"), body)
  }

  @Test func `An area is looked at, taken offline, and opened without the portal`() async throws {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let map = ServedDemoPortal.exploreMaine
      let said = await session.transcript([
        "capabilities \(map)", "estimate \(map) \(Self.area) \(Self.scales)",
        "take-offline \(map) \(Self.area) \(Self.scales) --title \"Around Portland\"",
      ])
      #expect(said.contains("Export") == false && said.contains("Lighthouses"))
      #expect(said.contains("demo.test") == false && said.contains("tiles"))
      #expect(said.contains("There is enough free space."))
      #expect(said.contains("Around Portland"))
    }
    let offline = LiveSession(home: home, isOffline: true)
    let said = await offline.transcript([
      "maps", "open \"Around Portland\"", "toc",
    ])
    #expect(said.contains("Around Portland") && said.contains("Lighthouses"))
    #expect(!said.contains("error:"), "\(said)")
  }

  @Test func `An estimate says what it cannot know, and counts no file for a missing basemap`()
    async throws
  {
    let broken = temporaryDirectory.appending(path: "broken.tpkx")
    try Data("no tiles".utf8).write(to: broken)
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let estimate = "estimate \(ServedDemoPortal.exploreMaine) \(Self.area)"
      await portal.portal.state.add(
        DemoFault(.status(503, retryAfter: nil), path: "*/FeatureServer/*/query"))
      let said = await session.transcript(["\(estimate) --no-basemap"])
      #expect(said.contains("Whether there is enough free space is unknown"), "\(said)")
      #expect(!said.contains("There is enough"))
      await portal.mend()
      let path = broken.path(percentEncoded: false)
      let refused = await session.transcript([
        "\(estimate) --basemap \"\(path)\"",
        "take-offline \(ServedDemoPortal.exploreMaine) \(Self.area) --basemap \"\(path)\"", "jobs",
      ])
      #expect(refused.components(separatedBy: "broken.tpkx").count > 2, "\(refused)")
      #expect(refused.components(separatedBy: "In all:").count == 2)
      #expect(refused.contains("There are no jobs"))
    }
  }

  @Test func `An area with latitude and longitude exchanged is refused`() async throws {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let map = ServedDemoPortal.exploreMaine
      let hint = "Longitudes come first: \(Self.area)."
      let right = await session.transcript(["estimate \(map) \(Self.area) --no-basemap"])
      #expect(!right.contains(hint))
      let exchanged = "\(map) 43.4,-70.6,43.9,-69.9 --no-basemap"
      let said = await session.transcript([
        "estimate \(exchanged)", "take-offline \(exchanged)", "jobs",
      ])
      #expect(said.components(separatedBy: hint).count == 3, "\(said)")
      #expect(said.contains("There are no jobs"), "\(said)")
    }
  }

  /// Puts a web map on a portal: a layer that can be taken, the same again, which cannot, and one whose
  /// service has no such layer.
  private func partlyOnlineMap(_ portal: ServedDemoPortal) async -> String {
    let service = portal.url.absoluteString + "/arcgis/rest/services/ExploreMaine/FeatureServer"
    let layers = [("first", 1), ("again", 1), ("gone", 99)].map { id, number -> JSONValue in
      [
        "id": .string(id), "title": .string("Lights \(id)"), "layerType": "ArcGISFeatureLayer",
        "url": .string("\(service)/\(number)"),
      ]
    }
    let id = await portal.portal.state.nextID()
    var item = DemoItem(
      id: id, owner: "demo", title: "Partly online", type: "Web Map", created: Date())
    item.content = .document(
      JSONValue.object([
        "version": "2.31", "operationalLayers": .array(layers),
        "baseMap": ["title": "None", "baseMapLayers": []],
        "spatialReference": ["wkid": 102_100, "latestWkid": 3857],
      ]).text())
    await portal.portal.state.put(item)
    return id
  }

  @Test func `Layers that are left out are listed with their reasons, at once and later`()
    async throws
  {
    let reason = "Lights again: The map has duplicate layers of this service layer"
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let map = await partlyOnlineMap(portal)
      let said = await session.transcript([
        "take-offline \(map) \(Self.area) --without \"Lights gone\""
      ])
      #expect(said.contains("\"Partly online\" is on this device") && said.contains("but for:"))
      #expect(said.contains(reason) && !said.contains("Lights gone:"), "\(said)")
      #expect(!said.contains("[partlyDone]"), "\(said)")
    }
    let offline = LiveSession(home: home, isOffline: true)
    for line in ["maps", "open \"Partly online\""] {
      let before = offline.seen
      let said = await offline.transcript([line]).dropFirst(before.count)
      #expect(said.contains("lacks \(reason)"), "\(said)")
    }
  }

  @Test func `A web map that is listed is named by its title`() async throws {
    try await withPortal { portal in
      let map = ServedDemoPortal.exploreMaine
      _ = await LiveSession(home: home, portal: portal.url).transcript(["areas \(map)"])
      let session = LiveSession(home: home, portal: portal.url)
      for line in [
        "web-map \"explore maine\"", "capabilities \"EXPLORE MAINE\"", "web-map explore",
        "areas \"éxplore maine\"",
      ] {
        let before = session.seen
        let said = await session.transcript([line]).dropFirst(before.count)
        #expect(!said.contains("! error"), "\(said)")
      }
      let wrong = await session.transcript(["web-map \"Exlpore Maine\""])
      #expect(wrong.contains("\"Exlpore Maine\" is neither the id of a web map"), "\(wrong)")
      #expect(wrong.contains("\"Explore Maine\"?") && wrong.contains("[notFound]"), "\(wrong)")
    }
  }

  @Test func `A missing file is reported as such, with how to find it`() async throws {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let map = ServedDemoPortal.exploreMaine
      for name in ["Nowhere in particular", String(map.prefix(6))] {
        let said = await session.transcript(["capabilities \"\(name)\""])
        #expect(said.contains("No web map \"\(name)\" is listed"), "\(said)")
        #expect(said.contains("\"search") && said.contains("[notFound]"), "\(said)")
      }
      let missing = await session.transcript(["estimate \(map) nofile.json"])
      #expect(missing.contains("There is no file nofile.json."), "\(missing)")
      #expect(!missing.contains("cannot be read"))
    }
  }

  @Test func `A layer that stays online opens from its service, and says so without a network`()
    async throws
  {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let map = await partlyOnlineMap(portal)
      let told = await session.transcript([
        "capabilities \(map)", "capabilities \(map) --keep-online --without \"Lights gone\"",
      ])
      #expect(told.components(separatedBy: "The map has duplicate layers").count == 2, "\(told)")
      #expect(told.components(separatedBy: "Lights gone").count == 3, "\(told)")
      #expect(told.contains("online   Lights again"), "\(told)")
      let said = await session.transcript([
        "take-offline \(map) \(Self.area) --keep-online", "open \"Partly online\"", "toc",
      ])
      // A layer that would not open with a network either is no layer that stays online.
      #expect(said.contains("The service has no such layer."), "\(said)")
      #expect(!said.contains("Online only") && !said.contains("holds no data"), "\(said)")
    }
    let offline = LiveSession(home: home, isOffline: true)
    let said = await offline.transcript(["open \"Partly online\"", "toc"])
    #expect(
      said.contains("Lights again")
        && said.contains("Online only; not available without a network."),
      "\(said)")
  }

  @Test func `An area across the dateline is refused, and nothing is begun`() async throws {
    try await withPortal { portal in
      let session = LiveSession(home: home, portal: portal.url)
      let said = await session.transcript([
        "take-offline \(ServedDemoPortal.exploreMaine) 170,0,190,10", "jobs",
      ])
      #expect(said.contains("crosses the 180th meridian"))
    }
  }
}
