import Foundation
import PortolanJSON
import PortolanPortal
import Testing

/// The status of the jobs that make and synchronize replicas.
@Suite struct ReplicaJobStatusTests {
  @Test(arguments: [1_700_000_000_123, "1700000000123"] as [JSONValue])
  func `Generations are read, also where they are written as texts`(_ value: JSONValue) throws {
    let whole = try #require(
      ReplicaJobStatus(json: ["status": "Completed", "replicaServerGen": value]))
    #expect(whole.replicaServerGen == 1_700_000_000_123)
    let layers = try #require(
      ReplicaJobStatus(
        json: ["status": "Completed", "layerServerGens": [["id": 3, "serverGen": value]]]))
    #expect(layers.layerServerGens == [3: 1_700_000_000_123])
  }

  @Test(arguments: [
    ("jobs/j1", "https://a.example/arcgis/rest/services/S/FeatureServer/jobs/j1"),
    ("/arcgis/jobs/j1?x=1", "https://a.example/arcgis/jobs/j1?x=1"),
    ("https://b.example/j1", "https://b.example/j1"), ("//b.example/j1", "https://b.example/j1"),
    ("file:///etc/passwd", nil), ("javascript:1", nil), ("", nil),
  ])
  func `Addresses that a server writes relative to its service are found below it`(
    _ written: String, _ address: String?
  ) throws {
    let service = URL(string: "https://a.example/arcgis/rest/services/S/FeatureServer?f=json")
    for name in ["resultUrl", "responseUrl", "URL"] {
      let status = try #require(
        ReplicaJobStatus(
          json: ["status": "Completed", "statusUrl": .string(written), name: .string(written)],
          of: service))
      #expect(status.statusURL?.absoluteString == address)
      #expect(status.resultURL?.absoluteString == address)
    }
  }

  @Test(arguments: [
    ("Pending", false, false), ("InProgress", false, false), ("ExportingData", false, false),
    ("Cancelling", false, false), ("Completed", true, false), ("completed", true, false),
    ("CompletedWithErrors", true, false), ("Failed", true, true),
    ("Failed ImportChanges", true, true),
    ("Cancelled", true, true), ("Canceled", true, true), ("TimedOut", true, true),
  ])
  func `A job is over when it has ended in whatever way`(
    _ word: String, _ isFinal: Bool, _ hasFailed: Bool
  ) throws {
    let status = try #require(ReplicaJobStatus(json: ["status": .string(word)]))
    #expect(status.isFinal == isFinal && status.hasFailed == hasFailed)
    #expect(status.hasErrors == (isFinal && word.lowercased() != "completed"))
  }

  @Test func `A job that says nothing of itself is over once its result is there`() throws {
    let begun = try #require(ReplicaJobStatus(json: ["replicaID": "r"]))
    #expect(!begun.isFinal && !begun.hasErrors)
    let ended = try #require(ReplicaJobStatus(json: ["resultUrl": "https://a.example/f"]))
    #expect(ended.isFinal && !ended.hasFailed && !ended.hasErrors)
  }

  @Test func `An invalid generation is none`() throws {
    let status = try #require(
      ReplicaJobStatus(
        json: [
          "status": "Completed", "replicaServerGen": "soon",
          "layerServerGens": [["id": 3, "serverGen": nil], ["serverGen": 4]],
        ]))
    #expect(status.replicaServerGen == nil && status.layerServerGens.isEmpty)
  }
}
