import Foundation
import PortolanPortal
import Testing

@Suite struct PortalURLTests {
  @Test(
    arguments: [
      ("arcgis.com", ["https://www.arcgis.com"]),
      ("www.arcgis.com", ["https://www.arcgis.com"]),
      ("http://ARCGIS.com/", ["https://www.arcgis.com"]),
      ("  https://www.arcgis.com/home/index.html?x=1#y ", ["https://www.arcgis.com"]),
      ("https://myorg.maps.arcgis.com/home/index.html", ["https://myorg.maps.arcgis.com"]),
      ("https://www.arcgis.com/sharing/rest/", ["https://www.arcgis.com"]),
      (
        "gis.example.com",
        [
          "https://gis.example.com", "https://gis.example.com/portal",
          "https://gis.example.com/arcgis",
        ]
      ),
      (
        "GIS.Example.com:443/",
        [
          "https://gis.example.com", "https://gis.example.com/portal",
          "https://gis.example.com/arcgis",
        ]
      ),
      (
        "gis.example.com/portal",
        ["https://gis.example.com/portal", "https://gis.example.com"]
      ),
      (
        "http://gis.example.com/Portal/home/",
        ["https://gis.example.com/Portal", "https://gis.example.com"]
      ),
      (
        "https://gis.example.com:7443/arcgis/sharing/rest",
        ["https://gis.example.com:7443/arcgis", "https://gis.example.com:7443"]
      ),
      (
        "https://gis.example.com/a/b/index.html",
        ["https://gis.example.com/a/b", "https://gis.example.com/a", "https://gis.example.com"]
      ),
      ("https://user:secret@www.arcgis.com", ["https://www.arcgis.com"]),
      (
        "http://127.0.0.1:8080",
        ["http://127.0.0.1:8080", "http://127.0.0.1:8080/portal", "http://127.0.0.1:8080/arcgis"]
      ),
      ("http://localhost:8080/portal/", ["http://localhost:8080/portal", "http://localhost:8080"]),
      (
        "localhost:8443/portal",
        [
          "https://localhost:8443/portal", "https://localhost:8443",
          "http://localhost:8443/portal", "http://localhost:8443",
        ]
      ),
      ("https://[::1]:7443/arcgis", ["https://[::1]:7443/arcgis", "https://[::1]:7443"]),
      (
        "[2001:DB8::1]/portal",
        ["https://[2001:db8::1]/portal", "https://[2001:db8::1]"]
      ),
      ("2001:db8::1/portal", ["https://[2001:db8::1]/portal", "https://[2001:db8::1]"]),
    ])
  func `Typed text becomes portal roots to try`(_ text: String, _ roots: [String]) throws {
    #expect(try PortalURL.candidates(typed: text).map(\.description) == roots)
  }

  @Test func `Plain HTTP is asked elsewhere only where that is allowed`() throws {
    let text = "http://gis.example.com/portal"
    let roots = try PortalURL.candidates(typed: text, allowingPlainHTTP: ["gis.example.com"])
    #expect(
      roots.map(\.description) == ["http://gis.example.com/portal", "http://gis.example.com"])
  }

  @Test func `Without a scheme nothing falls back to plain HTTP, but on this machine`() throws {
    let roots = try PortalURL.candidates(
      typed: "gis.example.com/portal", allowingPlainHTTP: ["gis.example.com"])
    #expect(roots.allSatisfy { !$0.usesPlainHTTP })
    #expect(try PortalURL.candidates(typed: "localhost:8080").contains(where: \.usesPlainHTTP))
  }

  @Test(
    arguments: [
      "", "   ", "ftp://gis.example.com", "https://", "https:///portal", "gis example.com",
      "https://host:99999", "https://host:port", "://", "[::1", "user@", "a\nb", "javascript:alert",
      String(repeating: "[", count: 10_000),
    ])
  func `An invalid URL is reported as such`(_ text: String) {
    #expect {
      try PortalURL.candidates(typed: text)
    } throws: { error in
      guard case .signIn(.badAddress(let shown)) = error as? PortalError else { return false }
      return shown.count <= 100
    }
  }

  @Test(
    arguments: [
      ("https://www.arcgis.com", "http://WWW.ArcGIS.com/", true),
      ("https://arcgis.com", "https://www.arcgis.com", true),
      ("https://gis.example.com/Portal", "https://gis.example.com:443/portal/", true),
      ("https://gis.example.com/portal", "https://gis.example.com/arcgis", false),
      ("https://gis.example.com:7443", "https://gis.example.com", false),
      ("https://one.maps.arcgis.com", "https://two.maps.arcgis.com", false),
    ])
  func `Roots are compared without scheme and case`(
    _ one: String, _ other: String, _ areEqual: Bool
  ) throws {
    let left = try #require(URL(string: one).flatMap(PortalURL.init(root:)))
    let right = try #require(URL(string: other).flatMap(PortalURL.init(root:)))
    #expect((left == right) == areEqual)
    #expect((left.hashValue == right.hashValue) == areEqual)
  }

  @Test(
    arguments: [
      ("https://www.arcgis.com", true), ("https://myorg.maps.arcgis.com", true),
      ("https://www.arcgis.com.example.org", false), ("https://notarcgis.com", false),
      ("https://gis.example.org/arcgis.com", false),
    ])
  func `ArcGIS Online is known by its host`(_ text: String, _ isOnline: Bool) throws {
    let portal = try #require(URL(string: text).flatMap(PortalURL.init(root:)))
    #expect(portal.isArcGISOnline == isOnline)
  }

  @Test func `A password in an address is never shown`() {
    #expect {
      try PortalURL.candidates(typed: "ftp://me:hunter2@gis.example.com")
    } throws: { !"\($0.localizedDescription)\($0)".contains("hunter2") }
  }

  @Test(arguments: [
    (
      "https://a.example/server/rest/services/A/FeatureServer/0?token=secret",
      "https://a.example/server"
    ),
    ("https://kim:secret@a.example/arcgis/rest/services/A/MapServer", "https://a.example/arcgis"),
    ("http://A.example:6080/arcgis/REST/services/A/MapServer#x", "http://a.example:6080/arcgis"),
    ("https://kim:secret@a.example/arcgis/?token=secret#x", "https://a.example/arcgis"),
    ("ftp://a.example/arcgis", nil),
  ])
  func `Of the address of a service the root of its server is taken, and nothing that is secret`(
    _ address: String, _ root: String?
  ) throws {
    let url = try #require(URL(string: address))
    #expect(PortalURL(serverOf: url)?.root.absoluteString == root)
  }
}
