import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanCurl

/// The end of a process that has used the transport.
@Suite(.timeLimit(.minutes(5))) struct ProcessEndTests {
  private static let variable = "PORTOLAN_TEST_PROCESS_END"

  /// Not a test of its own: a process that ends at once runs it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "runs in a child"))
  func `A download whose process exits beside the threads that made it`() async throws {
    let port = try #require(ProcessInfo.processInfo.environment[Self.variable])
    let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
    for _ in 0..<8 {
      let transport = CurlTransport(CurlConfiguration(userAgent: "Portolan/test"))
      // The certificate is refused: what counts is that the thread has used OpenSSL, and ends now.
      _ = try? await transport.send(HTTPRequest(url))
    }
    exit(42)
  }

  @Test(.temporaryDirectory, .needsTool("openssl"))
  func `A process that ends right after a download ends well`() async throws {
    let (certificate, key) = (
      temporaryDirectory.appending(path: "certificate.pem"),
      temporaryDirectory.appending(path: "key.pem")
    )
    let made = try Tool.run(
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj",
      "/CN=localhost", "-keyout", key.path(percentEncoded: false), "-out",
      certificate.path(percentEncoded: false))
    #expect(made.status == 0, "\(made.errors)")
    try await SecureServer.run(certificate: certificate, key: key) { port in
      for _ in 0..<10 {
        let status = try await Self.status(port)
        #expect(status == 42)
      }
    }
  }

  private static func status(_ port: Int) async throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "exits beside the threads",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([variable: "\(port)"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try await PortolanProcess.end(of: process)
    return process.terminationReason == .exit ? process.terminationStatus : -1
  }
}
