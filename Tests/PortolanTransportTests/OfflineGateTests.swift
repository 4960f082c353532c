import Foundation
import PortolanTransport
import Testing

@Suite struct OfflineGateTests {
  @Test func `Without a network nothing goes out`() async throws {
    let stub = ScriptedTransport(.response(200))
    let monitor = SwitchableNetworkMonitor(.offline(.notConnected))
    let gate = OfflineGate(stub, monitor: monitor)
    await #expect(throws: TransportError.offline) {
      try await gate.send(HTTPRequest("https://a.org/"))
    }
    #expect(stub.requests.isEmpty)
    monitor.set(.online(isMetered: nil))
    #expect(try await gate.send(HTTPRequest("https://a.org/")).status == 200)
  }

  @Test(arguments: [
    "http://localhost:80/", "http://127.0.0.1/", "http://[::1]/", "http://A.LOCALHOST",
  ])
  func `This machine is reached without a network, unless offline was asked for`(
    _ address: String
  ) async throws {
    let stub = ScriptedTransport(.response(200))
    let monitor = SwitchableNetworkMonitor(.offline(.notConnected))
    let gate = OfflineGate(stub, monitor: monitor)
    #expect(try await gate.send(HTTPRequest(address)).status == 200)
    monitor.set(.offline(.asked))
    await #expect(throws: TransportError.offline) { try await gate.send(HTTPRequest(address)) }
  }

  @Test func `A host that only looks like this machine is not it`() async throws {
    let gate = OfflineGate(
      ScriptedTransport(.response(200)), monitor: FixedNetworkMonitor(.offline(.notConnected)))
    for address in ["http://localhost.org/", "http://notlocalhost/", "http://127.0.0.1.evil.org/"] {
      await #expect(throws: TransportError.offline) { try await gate.send(HTTPRequest(address)) }
    }
  }
}
