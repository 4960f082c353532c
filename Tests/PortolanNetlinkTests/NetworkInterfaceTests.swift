import PortolanTransport
import Testing

@testable import PortolanNetlink

@Suite struct NetworkInterfaceTests {
  private static let header = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\n"
  private static let bridge = "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
  private static let none6 =
    "00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
    + "00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n"

  private func status(
    _ names: Set<String>, _ version4: String? = nil, _ version6: String? = nil,
    devices: Set<String> = []
  ) -> NetworkStatus {
    NetworkInterface.status(
      of: Set(names.map(NetworkInterface.init)),
      routes: RoutingTable(version4: version4.map { Self.header + $0 }, version6: version6)
    ) { devices.contains($0.name) }
  }

  @Test func `A bridge without a default route is no network`() {
    #expect(status(["docker0", "virbr0"], Self.bridge, Self.none6) == .offline(.notConnected))
  }

  @Test func `A default route leads to others`() {
    let route = "eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
    #expect(status(["eth0", "docker0"], Self.bridge + route).isOnline)
    let route6 =
      "00000000000000000000000000000000 00 00000000000000000000000000000000 00 "
      + "fe800000000000000000000000000001 00000400 00000001 00000000 00000003     wlan0\n"
    #expect(status(["wlan0"], nil, Self.none6 + route6).isOnline)
  }

  @Test func `A default route through an interface that is down leads nowhere`() {
    let route = "eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
    #expect(status(["docker0"], Self.bridge + route) == .offline(.notConnected))
  }

  @Test func `A device with an address counts without a gateway`() {
    #expect(status(["enp3s0", "docker0"], Self.bridge, devices: ["enp3s0"]).isOnline)
  }

  @Test(arguments: [
    "tun0\t0000000A\t00000000\t0001\t0\t0\t0\t000000FF\t0\t0\t0\n",
    "tun0\t00000000\t0100080A\t0003\t0\t0\t0\t00000080\t0\t0\t0\n",
    "tun0\t00000000\n", "nonsense\n",
    "tun0\t00000000\t00000000\t0200\t0\t0\t0\t00000000\t0\t0\t0\n",
  ])
  func `A tunnel without a default route is no network`(_ routes: String) {
    #expect(status(["tun0"], routes) == .offline(.notConnected))
  }

  @Test func `An unknown network state counts as connected, so that requests are tried`() {
    #expect(status(["docker0"]).isOnline)
    #expect(
      NetworkInterface.status(of: nil, routes: nil) { _ in false } == .online(isMetered: nil))
  }
}
