import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import DemoPortal

/// A package that came from another device, whose service lets nobody in who is not signed in.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ImportedSyncTests {
  private func session(_ home: String, _ portal: ServedDemoPortal) -> LiveSession {
    LiveSession(
      home: temporaryDirectory.appending(path: home), portal: portal.url,
      environment: ["PORTOLAN_PASSWORD": "demo"])
  }

  @Test func `Edits in it reach the service once a user has signed in`() async throws {
    try await ServedDemoPortal.standard(
      folder: temporaryDirectory.appending(path: "portal")
    ) { portal in
      let surveys = try await ParkSurveys(on: portal)
      let package = temporaryDirectory.appending(path: "parks.mmpk").path(percentEncoded: false)
      let exported = await session("theirs", portal).transcript([
        "sign-in --user demo",
        "take-offline \(surveys.map) -71,43,-67,47 --no-basemap --title Parks", "open Parks",
        "edit set Parks 1 NAME=\"Edited elsewhere\"", "close", "export Parks \(package) --yes",
      ])
      #expect(!exported.contains("error:"), "\(exported)")
      let copies = try await surveys.replicaCount()

      let mine = session("mine", portal)
      let refused = await mine.transcript(["import \(package)", "sync Parks"])
      #expect(refused.contains("wants you to sign in for \"Parks\""), "\(refused)")
      #expect(refused.contains("[needsSignIn]"), "\(refused)")
      #expect(try await surveys.replicaCount() == copies)

      let said = await mine.transcript([
        "sign-in --user demo", "sync Parks", "open Parks", "changes", "close",
      ])
      #expect(said.contains("\"Parks\" is synchronized: 1 edit sent"), "\(said)")
      #expect(said.contains("There are no changes."), "\(said)")
      #expect(try await surveys.name(of: 1) == "Edited elsewhere")
      #expect(try await surveys.replicaCount() == copies + 1)

      // Another process knows the portal, and has the replica given up with the map.
      let later = await session("mine", portal).transcript(["sync --all", "delete Parks --yes"])
      #expect(later.contains("\"Parks\" is synchronized"), "\(later)")
      #expect(later.contains("\"Parks\" is deleted"), "\(later)")
      #expect(try await surveys.replicaCount() == copies)
    }
  }
}

/// The surveys of parks, which only members of the portal see.
private struct ParkSurveys {
  /// The id of a web map of them.
  let map = "3f0c2e8a5b7d4169a1c4e6f80b2d9375"
  private let client: RESTClient
  private let token: String

  /// Puts the web map on a portal, and signs in to it.
  init(on portal: ServedDemoPortal) async throws {
    var item = DemoItem(
      id: map, owner: "demo", title: "Parks", type: "Web Map",
      created: Date(timeIntervalSince1970: 1))
    item.typeKeywords = ["Offline"]
    let layer = DemoServices.itemAddress(DemoServices.privateParks, "FeatureServer") + "/0"
    item.content = .document(
      """
      {"version": "2.31", "authoringApp": "Portolan", "spatialReference": {"wkid": 102100},
       "baseMap": {"title": "", "baseMapLayers": []},
       "operationalLayers": [{"id": "parks", "title": "Parks", "url": "\(layer)",
         "layerType": "ArcGISFeatureLayer", "visibility": true, "opacity": 1}]}
      """)
    await portal.portal.state.put(item)
    client = RESTClient(
      transport: InProcessTransport(portal.portal), authenticator: AnonymousAuthenticator())
    let answer = try await client.json(
      Self.address("sharing/rest/generateToken"),
      ["username": "demo", "password": "demo", "client": "requestip"], method: .post)
    token = try #require(answer["token"]?.string)
  }

  private static func address(_ path: String) throws -> URL {
    try #require(URL(string: "https://demo.test/\(path)"))
  }

  private static let service = "arcgis/rest/services/ParkSurveys/FeatureServer"

  /// The number of replicas that the service knows.
  func replicaCount() async throws -> Int {
    try await client.json(Self.address("\(Self.service)/replicas"), ["token": token]).array?.count
      ?? 0
  }

  /// The name of a park at the service.
  func name(of id: Int) async throws -> String? {
    let answer = try await client.json(
      Self.address("\(Self.service)/0/query"),
      ["objectIds": "\(id)", "outFields": "NAME", "returnGeometry": "false", "token": token])
    return answer["features"]?.array?.first?["attributes"]?["NAME"]?.string
  }
}
