import Foundation
import PortolanHTTPServer
import PortolanTestSupport
import PortolanTransport
import Testing

/// The server as another program, curl, sees it.
@Suite(.needsTool("curl"), .temporaryDirectory, .timeLimit(.minutes(5))) struct HTTPServerTests {
  private func withServer(
    bodyLimit: Int = 1000, bodyPatience: Duration = .seconds(30), inPlace: Bool = false,
    _ body: (String) async throws -> Void
  ) async throws {
    var configuration = HTTPServer.Configuration()
    configuration.bodyLimit = bodyLimit
    configuration.bodyPatience = bodyPatience
    configuration.answersInPlace = inPlace
    let server = try HTTPServer(configuration, handler: EchoHandler())
    do { try await body("http://127.0.0.1:\(server.port)") } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  private func curl(_ arguments: String..., to urls: [String] = []) async throws -> String {
    try await Tool.runOnThread("curl", ["-s", "--max-time", "20"] + arguments + urls).output
  }

  @Test(arguments: [false, true])
  func `A request comes as it was sent, and the answer as it was given`(
    _ inPlace: Bool
  ) async throws {
    try await withServer(inPlace: inPlace) { url in
      let answer = try await curl(
        "-i", "-X", "PUT", "-H", "X-Word: high", "-d", "body", "\(url)/a%20b?c=d")
      #expect(answer.hasPrefix("HTTP/1.1 201"))
      #expect(answer.contains("X-Answer: yes"))
      #expect(answer.hasSuffix("PUT /a%20b?c=d high body"))
    }
  }

  @Test(arguments: ["/later", "/yielding", "/elsewhere"], [false, true])
  func `An answer that has to wait for something comes`(
    _ target: String, _ inPlace: Bool
  ) async throws {
    try await withServer(inPlace: inPlace) { url in
      let requests = (0..<20).map { _ in url + target }
      let answers = try await curl("-Z", to: requests)
      #expect(answers == String(repeating: "at last", count: 20))
    }
  }

  @Test func `What has not changed is answered with its length, and without a body`() async throws {
    try await withServer { url in
      let answers = try await curl("-i", to: ["\(url)/unchanged", "\(url)/later"])
      #expect(
        answers.contains("Content-Length: 5\r\n") && !answers.contains("Content-Length: 0\r\n"))
      #expect(answers.hasSuffix("at last"))
    }
  }

  @Test func `A body that is too long is refused, whatever its headers say`() async throws {
    try await withServer(bodyLimit: 10) { url in
      for chunked in ["Transfer-Encoding: chunked", "X: y"] {
        let status = try await curl(
          "-o", "/dev/null", "-w", "%{http_code}", "-H", chunked, "-d", "12345678901", url)
        #expect(status == "413")
      }
    }
  }

  @Test func `A body without an end is not read for ever`() async throws {
    try await withServer { url in
      let result = try await Tool.runOnThread(
        "curl", ["-s", "--max-time", "20", "-T", "/dev/zero", url])
      #expect(result.status != 0)
      #expect(result.status != 28, "curl has waited to the end of its patience")
    }
  }

  @Test func `A body that is shorter than it says is not waited for`() async throws {
    try await withServer(bodyPatience: .seconds(1)) { url in
      let result = try await Tool.runOnThread(
        "curl", ["-s", "--max-time", "20", "-H", "Content-Length: 100", "-d", "body", url])
      #expect(result.status == 52, "An empty answer is expected")
      #expect(try await curl("-d", "body", url).hasSuffix(" body"))
    }
  }

  @Test func `An unwanted request body is refused before it is read`() async throws {
    try await withServer { url in
      for chunked in ["Transfer-Encoding: chunked", "X: y"] {
        let status = try await curl(
          "-o", "/dev/null", "-w", "%{http_code}", "-H", chunked, "-d", "body", "\(url)/unwanted")
        #expect(status == "403")
      }
    }
  }

  @Test func `A body of unknown length is sent piece by piece to its end`() async throws {
    try await withServer { url in
      let answer = try await curl("-N", "\(url)/stream")
      #expect(answer == (1...100).map { "piece \($0)\n" }.joined())
    }
  }

  @Test func `A body that breaks off is seen as such`() async throws {
    try await withServer { url in
      let result = try await Tool.runOnThread("curl", ["-s", "\(url)/cut"])
      #expect(result.status != 0)
    }
  }

  @Test func `A server that is stopped ends what waits`() async throws {
    let server = try HTTPServer(HTTPServer.Configuration(), handler: EchoHandler())
    let url = "http://127.0.0.1:\(server.port)/wait"
    async let answer = Tool.runOnThread("curl", ["-s", "-N", "--max-time", "20", url])
    while try await !curl("http://127.0.0.1:\(server.port)/waiting").contains("1") {}
    await server.stop()
    #expect(try await answer.status != 28, "curl has waited to the end of its patience")
  }

  @Test func `A port that is taken is an error`() throws {
    let first = try HTTPServer(HTTPServer.Configuration(), handler: EchoHandler())
    #expect(throws: HTTPServerError.cannotListen(port: first.port)) {
      _ = try HTTPServer(HTTPServer.Configuration(port: first.port), handler: EchoHandler())
    }
  }
}
