import DemoPortal
import Foundation
import PortolanTestSupport
import PortolanTransport
import Synchronization
import Testing

/// The server's log of the bodies it sends, and the rate at which it sends them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct DemoTransferTests {
  @Test func `A slow body arrives whole, in its time, and is counted`() async throws {
    let pauses = Mutex(Duration.zero)
    let clock = DemoClock(
      now: { Date() },
      sleep: { pause in
        pauses.withLock { $0 += pause }
        try await Task.sleep(for: pause)
      })
    let state = DemoState(clock: clock, folder: temporaryDirectory)
    var item = DemoItem(id: "a1", owner: "demo", title: "A", type: "Image", created: Date())
    item.content = .bytes(Data(repeating: 7, count: 40_000))
    await state.put(item)
    await state.add(DemoFault(.slow(bytesPerSecond: 200_000), path: "*/data"))
    var configuration = DemoServer.Configuration()
    configuration.countsTransfers = true
    let server = try DemoServer(DemoPortal(state: state), configuration)
    let port = try #require(server.url.port)
    let connection = try RawConnection(port: port)
    connection.send(
      "GET /sharing/rest/content/items/a1/data HTTP/1.1\nHost: x\nRange: bytes=10000-\n\n")
    let answer = RawAnswer(await connection.receive { RawAnswer($0).body.count >= 30_000 })
    #expect(answer.body.count == 30_000)
    #expect(pauses.withLock { $0 } > .zero)
    let sent = try #require(server.transfers.first)
    #expect(sent.path == "/sharing/rest/content/items/a1/data")
    #expect(sent.offset == 10_000 && sent.length == 30_000 && sent.sent == 30_000)
    await server.stop()
  }
}
