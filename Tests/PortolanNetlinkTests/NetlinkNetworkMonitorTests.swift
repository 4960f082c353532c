import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanNetlink

@Suite(.timeLimit(.minutes(5))) struct NetlinkNetworkMonitorTests {
  private static let variable = "PORTOLAN_TEST_NETWORK_NAMESPACE"

  /// Whether a network of one's own can be had here, with interfaces in it.
  private static let hasNamespaces: Bool = {
    guard Tool.path(of: "unshare") != nil, Tool.path(of: "ip") != nil else { return false }
    let process = Process()
    process.executableURL = URL(filePath: Tool.path(of: "unshare") ?? "unshare")
    process.arguments = ["-rn", "ip", "link", "add", "one", "type", "veth", "peer", "name", "two"]
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0
    } catch {
      return false
    }
  }()

  @Test func `A stream begins with the status of now`() async {
    let monitor = NetlinkNetworkMonitor()
    var updates = monitor.updates().makeAsyncIterator()
    #expect(await updates.next() == monitor.status)
  }

  @Test func `The status is that of the interfaces`() {
    #expect(NetlinkNetworkMonitor().status.isOnline == NetworkInterface.status().isOnline)
  }

  /// Not a test of its own: a process that has a network of its own runs it.
  @Test(
    .temporaryDirectory,
    .enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "runs in a child"))
  func `An interface that comes and goes is noticed`() async throws {
    func ip(_ words: String) throws {
      let result = try Tool.run("ip", words.split(separator: " ").map(String.init))
      #expect(result.status == 0, "\(words): \(result.errors)")
    }
    let monitor = NetlinkNetworkMonitor()
    var updates = monitor.updates().makeAsyncIterator()
    #expect(await updates.next() == .offline(.notConnected))
    try ip("link add one type veth peer name two")
    try ip("link set two up")
    try ip("link set one up")
    #expect(monitor.status == .offline(.notConnected))
    try ip("link add docker0 type bridge")
    try ip("link set docker0 up")
    try ip("address add 172.17.0.1/16 dev docker0")
    try ip("link set two master docker0")
    try ip("address add 10.1.2.3/24 dev one")
    #expect(monitor.status == .offline(.notConnected))
    try ip("route add default via 10.1.2.1 dev one")
    #expect(await updates.next() == .online(isMetered: nil))
    try ip("link set one down")
    #expect(await updates.next() == .offline(.notConnected))
    try ip("link set one up")
    try ip("route add default via 10.1.2.1 dev one")
    #expect(await updates.next() == .online(isMetered: nil))
    try ip("route del default")
    #expect(await updates.next() == .offline(.notConnected))
    #expect(NetworkInterface.status() == .offline(.notConnected))
  }

  @Test(
    .temporaryDirectory,
    .enabled(
      if: hasNamespaces, "needs unshare, ip and veth interfaces in a network namespace"))
  func `A network of one's own is watched`() async throws {
    // Foundation cannot start programs where even the loopback is down.
    let result = try await Tool.runOnThread(
      "unshare",
      [
        "-rn", "sh", "-c", "ip link set lo up; exec \"$@\"", "sh", "env", "\(Self.variable)=1",
        CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
        "comes and goes is noticed",
      ])
    let said = result.output + result.errors
    #expect(result.status == 0 && said.contains("with 1 test"), "\(said)")
  }
}
