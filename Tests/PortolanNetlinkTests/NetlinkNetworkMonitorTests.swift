import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanNetlink

@Suite struct NetlinkNetworkMonitorTests {
  @Test(.timeLimit(.minutes(1))) func `A stream begins with the status of now`() async {
    let monitor = NetlinkNetworkMonitor()
    var updates = monitor.updates().makeAsyncIterator()
    #expect(await updates.next() == monitor.status)
  }

  @Test func `The status is that of the interfaces`() {
    #expect(NetlinkNetworkMonitor().status.isOnline == NetworkInterface.status().isOnline)
  }
}
