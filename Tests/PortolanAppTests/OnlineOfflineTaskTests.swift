import Foundation
import PortolanJSON
import PortolanMap
import PortolanOffline
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import PortolanWebMaps
import Testing

@testable import PortolanApp

/// Offline tasks of maps that are open online.
struct OnlineOfflineTaskTests {
  private static let item = PortalItem(
    json: ["id": "0123456789abcdef0123456789abcdef", "title": "Parks", "type": "Web Map"])

  @Test(arguments: [item, nil])
  func `A map that came from a portal is taken offline from there, one of a file is not`(
    _ item: PortalItem?
  ) throws {
    let portal = Portal(
      url: try #require(URL(string: "https://portal.test")),
      client: RESTClient(
        transport: StubTransport { _ throws(TransportError) in throw .offline },
        authenticator: AnonymousAuthenticator()))
    let map = OnlineMap(try WebMap(json: ["operationalLayers": []]), title: "Parks", item: item)
    let task = OfflineMapTask(onlineMap: map, portal: portal)
    #expect(task?.webMap == item?.id)
  }
}
