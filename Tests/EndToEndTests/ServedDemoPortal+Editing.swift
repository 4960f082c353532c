import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanPortal
import PortolanTransport
import Testing

@testable import DemoPortal

/// The edits of others at the services of the portal.
extension ServedDemoPortal {
  /// Sends requests as others do.
  private var client: RESTClient {
    RESTClient(transport: InProcessTransport(portal), authenticator: AnonymousAuthenticator())
  }

  private func address(_ path: String) throws -> URL {
    try #require(
      URL(string: "https://demo.test/arcgis/rest/services/ExploreMaine/FeatureServer/\(path)"))
  }

  /// The lighthouses at the service: object ids by name.
  func lighthouses() async throws -> [String: Int] {
    let answer = try await client.json(
      address("1/query"), ["where": "1=1", "outFields": "*", "returnGeometry": "false"])
    let pairs = (answer["features"]?.array ?? []).compactMap { feature -> (String, Int)? in
      guard let name = feature["attributes"]?["NAME"]?.string,
        let id = feature["attributes"]?["OBJECTID"]?.int
      else { return nil }
      return (name, id)
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Renames a lighthouse at the service.
  func rename(_ name: String, to other: String) async throws {
    let id = try #require(try await lighthouses()[name])
    let update = #"[{"attributes": {"OBJECTID": \#(id), "NAME": "\#(other)"}}]"#
    _ = try await client.json(address("1/applyEdits"), ["updates": update], method: .post)
  }

  /// Removes a lighthouse at the service.
  func remove(_ name: String) async throws {
    let id = try #require(try await lighthouses()[name])
    _ = try await client.json(address("1/applyEdits"), ["deletes": "\(id)"], method: .post)
  }

  /// Attaches a text to a lighthouse at the service.
  func attach(_ name: String, to id: Int) async throws {
    let table = try await lighthouseTable()
    let others = ServiceGeodatabase(ServiceFeatureStore([ServiceFeatureStore.Table(table)]))
    let file = NewAttachment(name: name, contentType: "text/plain", data: Data(name.utf8))
    _ = try await others.apply([
      .addAttachment(
        file, to: .objectID(Int64(id)), table: try #require(table.info.schema?.name))
    ])
  }

  /// The names of what is attached to a lighthouse at the service.
  func attachments(of id: Int) async throws -> [String] {
    try await lighthouseTable().attachments(of: Int64(id)).map(\.name)
  }

  private func lighthouseTable() async throws -> ServiceFeatureTable {
    let service = try address("1").deletingLastPathComponent()
    return try await FeatureService(url: service, client: client).table(1)
  }

  /// Lets the service forget all copies.
  func forgetReplicas() async throws {
    let replicas = try await client.json(address("replicas"))
    for replica in replicas.array ?? [] {
      _ = try await client.json(
        address("unRegisterReplica"), ["replicaID": replica["replicaID"]?.string ?? ""],
        method: .post)
    }
  }

  /// The number of replicas that the service knows.
  func replicaCount() async throws -> Int {
    try await client.json(address("replicas")).array?.count ?? 0
  }
}
