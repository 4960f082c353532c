import Foundation
import PortolanApp
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import PortolanWebMaps
import Testing

@MainActor
@Suite struct PortalScreensTests {
  /// Has no items.
  private let transport = StubTransport { request throws(TransportError) in
    .json(#"{"total":0,"start":1,"num":0,"nextStart":-1,"results":[]}"#, to: request)
  }

  private func screens(
    _ preferences: PortalScreens.Preferences = PortalScreens.Preferences()
  ) -> PortalScreens {
    PortalScreens(portals: AnonymousPortals(transport: transport)) { preferences }
  }

  @Test(arguments: [
    ("https://www.arcgis.com", true), ("https://arcgis.com", true),
    ("https://WWW.ArcGIS.com", true), ("https://kim.maps.arcgis.com", true),
    ("https://gis.example.org/portal", false), ("https://arcgis.com.example.org", false),
    ("https://example.org/www.arcgis.com", false), ("https://notarcgis.com", false),
    ("http://localhost:7070", false),
  ])
  func `A search begins with words on ArcGIS Online only`(
    _ address: String, _ hasWords: Bool
  ) async throws {
    let browser = try await screens().browser(of: URL(string: address))
    #expect(browser.state.text == (hasWords ? "Offline Mapbook" : ""))
    #expect(browser.state.phase == .idle)
  }

  @Test func `Without an address it is the portal in use`() async throws {
    let browser = try await screens().browser(of: nil)
    #expect(browser.state.portal.absoluteString == "https://www.arcgis.com")
  }

  @Test func `Words and page size are those of the preferences`() async throws {
    let screens = screens(.init(searchText: "rivers", pageSize: 7))
    let browser = try await screens.browser(of: nil)
    #expect(browser.state.text == "rivers")
    await browser.search()
    #expect(transport.requests.map { $0.parameters["num"] } == ["7"])
  }

  @Test func `The search stays while the portal does`() async throws {
    let screens = screens()
    let online = try await screens.browser(of: nil)
    #expect(try await screens.browser(of: nil) === online)
    let other = try await screens.browser(of: URL(string: "https://gis.example.org"))
    #expect(other !== online && screens.browser === other)
    #expect(try await screens.browser(of: nil) !== online)
  }

  @Test func `Each item and each web map has a screen of its own`() async throws {
    let screens = screens()
    #expect(screens.item == nil && screens.webMap == nil)
    let item = try await screens.item(of: nil)
    #expect(try await screens.item(of: nil) !== item)
    let map = try await screens.webMap(of: nil)
    #expect(screens.webMap === map && map.state == .empty)
    #expect(try await screens.webMap(of: nil) !== map)
  }

  @Test func `A package is found by its title on whichever page of the results it is`()
    async throws
  {
    func id(_ digit: String) -> String { String(repeating: digit, count: 32) }
    func page(_ items: [(title: String, id: String)], next: Int) -> String {
      let results = items.map {
        #"{"id":"\#($0.id)","title":"\#($0.title)","type":"Mobile Map Package"}"#
      }
      return
        #"{"total":101,"start":1,"num":100,"nextStart":\#(next),"results":[\#(results.joined(separator: ","))]}"#
    }
    let first = page([("Harbor chart of 2020", id("a"))], next: 101)
    let second = page([("Harbor Chart", id("b")), ("Twin", id("c")), ("Twin", id("d"))], next: -1)
    let portal = StubTransport { request throws(TransportError) in
      .json(request.parameters["start"] == "101" ? second : first, to: request)
    }
    let screens = PortalScreens(portals: AnonymousPortals(transport: portal))
    #expect(try await screens.packageID(titled: "harbor chart", of: nil) == id("b"))
    #expect(portal.requests.count == 2)
    #expect(try await screens.packageID(titled: "Nothing", of: nil) == nil)
    let twins = await #expect(throws: Problem.self) {
      try await screens.packageID(titled: "Twin", of: nil)
    }
    #expect(twins?.code == .ambiguous)
  }

  @Test func `An address that is no portal's is a problem`() async {
    let screens = screens()
    let expected = Problem(PortalError.transport(.offline))
    await #expect(throws: expected) { try await screens.browser(of: URL(string: "http://off")) }
    await #expect(throws: expected) { try await screens.item(of: URL(string: "http://off")) }
    await #expect(throws: expected) { try await screens.webMap(of: URL(string: "http://off")) }
    #expect(screens.browser == nil && screens.item == nil && screens.webMap == nil)
  }
}

/// Connects to every portal as nobody, and to none at `off`.
private struct AnonymousPortals: PortalConnecting {
  let transport: StubTransport

  func portal(at url: URL?) async throws(PortalError) -> Portal {
    if url?.host() == "off" { throw .transport(.offline) }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    return Portal(url: url ?? PortalURL.arcGISOnline.root, client: client)
  }
}
