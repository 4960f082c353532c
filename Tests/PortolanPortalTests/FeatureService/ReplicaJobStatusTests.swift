import PortolanJSON
import PortolanPortal
import Testing

/// What services say of the jobs that make and synchronize replicas.
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

  @Test func `What is no generation is none`() throws {
    let status = try #require(
      ReplicaJobStatus(
        json: [
          "status": "Completed", "replicaServerGen": "soon",
          "layerServerGens": [["id": 3, "serverGen": nil], ["serverGen": 4]],
        ]))
    #expect(status.replicaServerGen == nil && status.layerServerGens.isEmpty)
  }
}
