import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@Suite struct NetworkMonitorTests {
  @Test func `Switching the network is reported to all listeners`() async {
    let monitor = SwitchableNetworkMonitor()
    var first = monitor.updates().makeAsyncIterator()
    var second = monitor.updates().makeAsyncIterator()
    #expect(await first.next() == .online(isMetered: nil))
    #expect(await second.next() == .online(isMetered: nil))
    monitor.set(.offline(.asked))
    #expect(await first.next() == .offline(.asked))
    #expect(await second.next() == .offline(.asked))
    #expect(monitor.status == .offline(.asked))
  }

  @Test func `A slow reader gets the last status`() async {
    let monitor = SwitchableNetworkMonitor()
    var updates = monitor.updates().makeAsyncIterator()
    monitor.set(.offline(.notConnected))
    monitor.set(.online(isMetered: true))
    #expect(await updates.next() == .online(isMetered: true))
  }

  @Test func `A monitor that goes ends its streams`() async {
    var monitor: SwitchableNetworkMonitor? = SwitchableNetworkMonitor()
    var updates = monitor?.updates().makeAsyncIterator()
    _ = await updates?.next()
    monitor = nil
    #expect(await updates?.next() == nil)
  }

  @Test func `A fixed network keeps its word`() async {
    let monitor = FixedNetworkMonitor(.offline(.asked))
    var updates = monitor.updates().makeAsyncIterator()
    #expect(await updates.next() == .offline(.asked))
  }
}
