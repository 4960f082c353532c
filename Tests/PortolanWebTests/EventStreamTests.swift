import Foundation
import PortolanHTTPServer
import Testing

@testable import PortolanWeb

@Suite struct EventStreamTests {
  private let hub = EventHub()

  /// The part of the stream that is available now.
  private func taken(_ stream: EventStream, limit: Int = 1 << 16) -> String? {
    guard case .bytes(let data) = stream.next(at: 0, limit: limit) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `A new page receives everything known, in the order it occurred`() {
    hub.publish("maps", Data("[1]".utf8))
    hub.publish("map", Data("null".utf8))
    hub.publish("maps", Data("[2]".utf8))
    let stream = hub.connect()
    #expect(taken(stream) == "event: maps\ndata: [2]\n\nevent: map\ndata: null\n\n")
    #expect(taken(stream) == nil)
  }

  @Test func `A change is reported once to every page`() {
    let streams = [hub.connect(), hub.connect()]
    hub.publish("maps", Data("[1]".utf8))
    hub.publish("maps", Data("[1]".utf8))
    for stream in streams {
      #expect(taken(stream) == "event: maps\ndata: [1]\n\n")
      #expect(taken(stream) == nil)
    }
  }

  @Test func `A slow page receives the latest state only`() {
    let stream = hub.connect()
    for number in 1...1000 { hub.publish("maps", Data("[\(number)]".utf8)) }
    #expect(taken(stream) == "event: maps\ndata: [1000]\n\n")
  }

  @Test func `A state longer than the buffer is sent in pieces`() {
    let stream = hub.connect()
    hub.publish("maps", Data("[1234567890]".utf8))
    var text = ""
    while let piece = taken(stream, limit: 5) { text += piece }
    #expect(text == "event: maps\ndata: [1234567890]\n\n")
  }

  @Test func `A waiting stream continues with a change, a ping, or a cancellation`()
    async
  {
    let stream = hub.connect()
    for wake in [{ hub.publish("maps", Data("[]".utf8)) }, { hub.ping() }] {
      guard case .wait(let wait) = stream.next(at: 0, limit: 100) else {
        Issue.record("it does not wait")
        return
      }
      let waiting = Task { await wait() }
      wake()
      await waiting.value
      #expect(taken(stream) != nil)
    }
    guard case .wait(let wait) = stream.next(at: 0, limit: 100) else { return }
    let waiting = Task { await wait() }
    waiting.cancel()
    await waiting.value
  }
}
