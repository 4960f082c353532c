import DemoPortal
import Foundation
import PortolanJSON
import PortolanTransport
import Synchronization
import Testing

@Suite struct DemoFaultTests {
  private static let target = "/sharing/rest/info?f=json"

  private func answer(
    _ fault: DemoFault, _ check: (DemoServerTests.Bed, RawAnswer) async throws -> Void
  ) async throws {
    try await DemoServerTests.serving { bed async throws in
      await bed.state.add(fault)
      try await check(bed, try await bed.get(Self.target))
    }
  }

  @Test func `A connection is dropped without an answer`() async throws {
    try await answer(DemoFault(.drop)) { _, answer async throws in #expect(answer.head.isEmpty) }
  }

  @Test func `A body is cut after so many bytes`() async throws {
    try await answer(DemoFault(.cut(after: 10))) { _, answer async throws in
      #expect(answer.status == 200)
      #expect(answer.body.count == 10)
      #expect(answer["Content-Length"].flatMap { Int($0) } ?? 0 > 10)
    }
  }

  @Test func `A body stalls, and its connection stays`() async throws {
    try await DemoServerTests.serving { bed async throws in
      await bed.state.add(DemoFault(.stall(after: 7)))
      let connection = try RawConnection(port: bed.port)
      connection.send("GET \(Self.target) HTTP/1.1\nHost: x\n\n")
      let answer = RawAnswer(await connection.receive { RawAnswer($0).body.count >= 7 })
      #expect(answer.body.count == 7)
      await bed.server.stop()
      #expect(await connection.receive().isEmpty)
    }
  }

  @Test func `Another status comes, with the wait that was asked for`() async throws {
    try await answer(DemoFault(.status(429, retryAfter: 7))) { _, answer async throws in
      #expect(answer.status == 429)
      #expect(answer["Retry-After"] == "7")
    }
  }

  @Test func `A page comes instead of the document`() async throws {
    try await answer(DemoFault(.html)) { _, answer async throws in
      #expect(answer["Content-Type"]?.hasPrefix("text/html") == true)
      #expect(answer.text.contains("<form>"))
    }
  }

  @Test(arguments: [50, -5]) func `The length is wrong`(_ offset: Int) async throws {
    try await answer(DemoFault(.wrongLength(by: offset))) { bed, answer async throws in
      await bed.state.removeFaults()
      let whole = try await bed.get(Self.target).body
      #expect(answer["Content-Length"] == String(whole.count + offset))
      #expect(answer.body == whole.prefix(whole.count + min(offset, 0)))
    }
  }

  @Test func `Bytes of the body are changed`() async throws {
    try await answer(DemoFault(.corrupt(bytes: 3))) { bed, answer async throws in
      await bed.state.removeFaults()
      let whole = try await bed.get(Self.target).body
      #expect(answer.body.count == whole.count)
      #expect(zip(answer.body, whole).count { $0 != $1 } == 3)
    }
  }

  @Test func `An error envelope comes with the words that were asked for`() async throws {
    let failure = DemoFailure(code: 500, "Error performing query operation")
    try await answer(DemoFault(.failure(failure))) { _, answer async throws in
      let body = try JSONValue(parsing: answer.body)
      #expect(body == failure.envelope)
    }
  }

  @Test func `A fault waits for its request and ends after the last`() async throws {
    try await DemoServerTests.serving { bed async throws in
      await bed.state.add(
        DemoFault(.status(503, retryAfter: nil), path: "*/INFO", skip: 1, count: 2))
      var statuses: [Int] = []
      for _ in 0..<5 { statuses.append(try await bed.get(Self.target).status) }
      #expect(statuses == [200, 503, 503, 200, 200])
      #expect(try await bed.get("/sharing/rest").status == 200)
    }
  }

  @Test func `A delay is slept through by the portal's clock`() async throws {
    let slept = Mutex<[Duration]>([])
    let clock = DemoClock(
      now: { Date(timeIntervalSince1970: 1_800_000_000) },
      sleep: { duration in slept.withLock { $0.append(duration) } })
    try await DemoServerTests.serving(clock) { bed async throws in
      await bed.state.add(DemoFault(.latency(.milliseconds(40))))
      let answer = try await bed.get(Self.target)
      #expect(answer.status == 200)
      #expect(slept.withLock { $0 } == [.milliseconds(40)])
    }
  }

  @Test func `An offline portal answers only its tester`() async throws {
    try await DemoServerTests.serving { bed async throws in
      #expect(try await bed.get("/demo/network?on=false").text == #"{"on":false}"#)
      #expect(try await bed.get(Self.target).head.isEmpty)
      #expect(try await bed.get("/demo/network?on=true").status == 200)
      #expect(try await bed.get(Self.target).status == 200)
    }
  }

  @Test func `Faults are asked for, listed and removed over HTTP`() async throws {
    try await DemoServerTests.serving { bed async throws in
      let body = #"{"kind":"status","status":404,"path":"*/info","skip":1,"count":3}"#
      let created = try await RawConnection(port: bed.port).answer(
        to: "POST /demo/faults HTTP/1.1\nHost: x\nConnection: close\n"
          + "Content-Type: application/json\nContent-Length: \(body.utf8.count)\n\n" + body)
      #expect(created.text == #"{"id":1}"#)
      let listed = try JSONValue(parsing: await bed.get("/demo/faults").body)["faults"]?[0]
      #expect(listed?["kind"] == "status")
      #expect(listed?["count"] == 3)
      let removed = try await RawConnection(port: bed.port).answer(
        to: "DELETE /demo/faults/1 HTTP/1.1\nHost: x\nConnection: close\n\n")
      #expect(removed.text == #"{"removed":1}"#)
    }
  }

  @Test(arguments: ["kind=magic", "kind=cut&bytes=-1", "kind=status&status=9", "skip=1"])
  func `A fault that makes no sense is refused`(_ form: String) async throws {
    try await DemoServerTests.serving { bed async throws in
      let answer = try await RawConnection(port: bed.port).answer(
        to: "POST /demo/faults HTTP/1.1\nHost: x\nConnection: close\n"
          + "Content-Type: application/x-www-form-urlencoded\n"
          + "Content-Length: \(form.utf8.count)\n\n" + form)
      #expect(try JSONValue(parsing: answer.body)["error"]?["code"] == 400)
    }
  }

  @Test func `An expired token is expired for good`() async throws {
    let state = DemoState()
    let portal = DemoPortal(state: state)
    let token = await state.issueToken(for: .user("demo"), in: .portal, lifetime: .seconds(60))
    await state.add(DemoFault(.expiredToken, count: 1))
    let url = try #require(URL(string: "http://x/sharing/rest?token=\(token.value)"))
    _ = try await InProcessTransport(portal).send(HTTPRequest(url))
    await #expect(throws: DemoFailure.invalidToken) {
      _ = try await state.viewer(
        of: DemoRequest(base: url, target: "/?token=\(token.value)"), in: .portal)
    }
  }
}
