import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanPortal
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct UnknownTimeZoneTests {
  private let url = URL(string: "https://gis.example.org/rest/services/A/FeatureServer/0")!

  @Test(arguments: [true, false])
  func `Edits of a layer that knows no time zone of its dates say that this is known`(
    _ isUnknown: Bool
  ) async throws {
    let server = StubFeatureServer(hasDatesInUnknownTimeZone: isUnknown)
    let transport = StubTransport { request in
      var layer = server.layer.object ?? [:]
      layer["capabilities"] = "Query,Create,Update,Delete,Editing"
      return request.url.lastPathComponent == "applyEdits"
        ? .json(#"{"addResults":[{"objectId":26,"success":true}]}"#, to: request)
        : .json(JSONValue.object(layer).text(), to: request)
    }
    let client = RESTClient(transport: transport, authenticator: AnonymousAuthenticator())
    let table = try await ServiceFeatureTable.load(url, client: client)
    let store = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    _ = try await store.apply([.add(NewFeature(attributes: ["name": .text("new")]), table: "Rows")])
    let request = try #require(
      transport.requests.first { $0.url.lastPathComponent == "applyEdits" })
    let said: String? = isUnknown ? "true" : nil
    #expect(request.parameters["timeReferenceUnknownClient"] == said)
  }
}
