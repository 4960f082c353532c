import DemoPortal
import Foundation
import PortolanArchives
import PortolanTransport
import Testing

@Suite struct DemoServerTests {
  /// A server, and what to ask it with.
  struct Bed {
    let state: DemoState
    let server: DemoServer
    let port: Int

    func get(_ target: String, _ headers: String = "") async throws -> RawAnswer {
      try await RawConnection(port: port).answer(
        to: "GET \(target) HTTP/1.1\nHost: localhost:\(port)\nConnection: close\n\(headers)\n")
    }
  }

  static func serving(
    _ clock: DemoClock = .system, bodyLimit: Int = 1 << 20,
    _ body: (Bed) async throws -> Void
  ) async throws {
    let state = DemoState(clock: clock)
    var configuration = DemoServer.Configuration()
    configuration.bodyLimit = bodyLimit
    let server = try DemoServer(DemoPortal(state: state), configuration)
    do {
      try await body(Bed(state: state, server: server, port: server.url.port ?? 0))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  @Test(
    arguments: [
      ("gzip, deflate", true), ("br;q=1, GZIP;q=0.5", true), ("*", true), ("", false),
      ("identity", false), ("gzip;q=0", false),
    ])
  func `A long text is sent in gzip to clients that accept it`(
    _ accepted: String, _ isPacked: Bool
  ) async throws {
    try await Self.serving { bed async throws in
      let target = "/sharing/rest/portals/self?f=json"
      let plain = try await bed.get(target)
      let answer = try await bed.get(target, "Accept-Encoding: \(accepted)\n")
      #expect(plain["Content-Encoding"] == nil && plain.body.count > 1_400)
      #expect((answer["Content-Encoding"] == "gzip") == isPacked)
      #expect(answer["Content-Length"] == "\(answer.body.count)")
      guard isPacked else { return }
      #expect(answer["Vary"]?.contains("Accept-Encoding") == true)
      #expect(answer.body.count < plain.body.count)
      let text = try Gzip.decompress(answer.body, limit: 1 << 20, name: "answer")
      #expect(text.count == plain.body.count)
      let short = try await bed.get("/sharing/rest?f=json", "Accept-Encoding: \(accepted)\n")
      #expect(short["Content-Encoding"] == nil)
    }
  }

  @Test func `A real port is found where none was given`() async throws {
    try await Self.serving { bed async throws in
      #expect(bed.port > 0)
      let answer = try await bed.get("/sharing/rest?f=json")
      #expect(answer.status == 200)
      #expect(answer.text.contains("currentVersion"))
      #expect(answer["Content-Length"] == String(answer.body.count))
    }
  }

  @Test func `A taken port is an error that names it`() async throws {
    try await Self.serving { bed async throws in
      let port = UInt16(bed.port)
      #expect(throws: DemoServerError.cannotListen(port: port)) {
        try DemoServer(
          DemoPortal(state: DemoState()), DemoServer.Configuration(port: port))
      }
    }
  }

  @Test func `Many requests go over one connection`() async throws {
    try await Self.serving { bed async throws in
      let connection = try RawConnection(port: bed.port)
      for number in 1...20 {
        connection.send("GET /sharing/rest/info?n=\(number) HTTP/1.1\nHost: x\n\n")
        let answer = await connection.receive { $0.contains(Data("isTokenBasedSecurity".utf8)) }
        #expect(RawAnswer(answer).status == 200)
      }
    }
  }

  @Test func `A client that waits to be asked for its body is asked`() async throws {
    try await Self.serving { bed async throws in
      let connection = try RawConnection(port: bed.port)
      connection.send(
        """
        POST /demo/faults HTTP/1.1
        Host: x
        Content-Type: application/x-www-form-urlencoded
        Content-Length: 9
        Expect: 100-continue
        Connection: close


        """)
      let first = await connection.receive { $0.count >= 25 }
      #expect(String(decoding: first, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      connection.send("kind=drop")
      #expect(RawAnswer(await connection.receive()).text.contains("\"id\":1"))
    }
  }

  @Test(arguments: ["Content-Length: 99999999999", "Transfer-Encoding: chunked"])
  func `A body that is too long is refused`(_ header: String) async throws {
    try await Self.serving(bodyLimit: 1000) { bed async throws in
      let connection = try RawConnection(port: bed.port)
      connection.send("POST /sharing/rest HTTP/1.1\nHost: x\nConnection: close\n\(header)\n\n")
      if header.hasPrefix("Transfer") {
        let piece = String(repeating: "x", count: 1024)
        for _ in 0..<4 { connection.send("400\n\(piece)\n") }
        connection.send("0\n\n")
      }
      #expect(RawAnswer(await connection.receive()).status == 413)
    }
  }

  @Test(arguments: [
    "GET / HTTP/1.1\nHost: a b/c?d\nConnection: close\n\n",
    "BREW /sharing/rest HTTP/1.1\nHost: x\nConnection: close\n\n",
  ])
  func `A request that makes no sense is refused`(_ request: String) async throws {
    try await Self.serving { bed async throws in
      let answer = try await RawConnection(port: bed.port).answer(to: request)
      #expect((400..<500).contains(answer.status))
    }
  }

  @Test func `Five hundred connections are served at a time`() async throws {
    try await Self.serving { bed async throws in
      let connections = try (0..<500).map { _ in try RawConnection(port: bed.port) }
      for connection in connections {
        connection.send("GET /sharing/rest HTTP/1.1\nHost: x\nConnection: close\n\n")
      }
      for connection in connections {
        #expect(RawAnswer(await connection.receive()).status == 200)
      }
    }
  }

  @Test func `Stopping ends what is under way`() async throws {
    try await Self.serving { bed async throws in
      await bed.state.add(DemoFault(.latency(.seconds(1000)), path: "/sharing/*"))
      let connection = try RawConnection(port: bed.port)
      connection.send("GET /sharing/rest HTTP/1.1\nHost: x\n\n")
      // One that is answered shows that the one before it has arrived.
      _ = try await bed.get("/demo/faults")
      await bed.server.stop()
      _ = await connection.receive()
      #expect(throws: POSIXError.self) { try RawConnection(port: bed.port) }
    }
  }
}
