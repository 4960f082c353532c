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
