import Foundation
import PortolanApp
import PortolanJSON
import Testing

@testable import PortolanWeb

/// The events about the screens that pages receive.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ScreenFollowerTests {
  @Test func `A state is written while the main actor does other things`() async {
    let (begins, begin) = AsyncStream<Void>.makeStream()
    let release = DispatchSemaphore(value: 0)
    async let written = ScreenFollower.encoded(Int64(7)) { number in
      begin.yield()
      release.wait()
      return [.integer(number)]
    }
    for await _ in begins { break }
    release.signal()
    #expect(await written == Data("[7]".utf8))
  }

  @Test func `A list that was not read yet has no maps, and says what is wrong`() {
    let closed = Problem(message: "It is closed.")
    let page = MapsPage(list: nil, deleted: [], work: nil, problem: closed)
    #expect(page.json["items"] == [] && page.json["banner"]?["message"] == "It is closed.")
    #expect(page.json["isRefreshing"] == false)
  }
}
