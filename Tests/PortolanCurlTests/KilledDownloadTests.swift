import Foundation
import PortolanTestSupport
import PortolanTransport
import Testing

@testable import PortolanCurl

/// The files of a process that is killed in the middle of a download.
@Suite(.timeLimit(.minutes(5))) struct KilledDownloadTests {
  private static let variable = "PORTOLAN_TEST_KILLED_DOWNLOAD"
  private static let body = Data((0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

  private static func download(
    _ url: URL, to file: URL, _ options: FileDownload.Options
  )
    -> FileDownload
  {
    FileDownload(
      HTTPRequest(url), to: file, options: options,
      over: CurlTransport(CurlConfiguration(userAgent: "Portolan/test")),
      clock: ContinuousClock(), chance: { 0 })
  }

  /// Not a test of its own: the process that is killed runs it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment[variable] != nil, "runs in a child"))
  func `A download reports its progress when asked to`() async throws {
    let words = try #require(ProcessInfo.processInfo.environment[Self.variable])
      .split(separator: " ").map(String.init)
    let url = try #require(URL(string: words[0]))
    let options = FileDownload.Options(progress: { progress in
      FileHandle.standardOutput.write(Data("\nreceived \(progress.received)\n".utf8))
    })
    _ = try await Self.download(url, to: URL(filePath: words[1]), options).run()
  }

  @Test(.temporaryDirectory)
  func `A killed download resumes where it was`() async throws {
    let file = temporaryDirectory.appending(path: "map.mmpk")
    let server = try ScriptedServer { request in
      let start = request["Range"]?.firstMatch(of: /bytes=(\d+)-/).flatMap { Int($0.1) }
      let rest = Self.body[(start ?? 0)...]
      let last = Self.body.count - 1
      let head =
        start == nil
        ? "200 OK" : "206 Part\r\nContent-Range: bytes \(start ?? 0)-\(last)/\(Self.body.count)"
      let text = "HTTP/1.1 \(head)\r\nETag: \"1\"\r\nContent-Length: \(rest.count)\r\n\r\n"
      guard start == nil else { return [.text(text), .send(Data(rest))] }
      return [.text(text), .send(Data(rest.prefix(2 << 20))), .hang]
    }
    try await server.run { server in
      let child = try child(server.url(), file)
      try await waitForMegabytes(2, of: child.output)
      kill(child.process.processIdentifier, SIGKILL)
      child.process.waitUntilExit()
      #expect(!FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))

      let outcome = try await Self.download(server.url(), to: file, .init()).run()
      guard case .file(let downloaded) = outcome else {
        Issue.record("\(outcome)")
        return
      }
      // On a busy machine the child may have asked for more before it was killed.
      #expect(downloaded.resumedFrom >= 2 << 20)
      #expect(try Data(contentsOf: file) == Self.body)
      #expect(server.requests.last?["Range"] == "bytes=\(downloaded.resumedFrom)-")
      #expect(server.requests.last?["If-Range"] == "\"1\"")
    }
  }

  private func child(_ url: URL, _ file: URL) throws -> (process: Process, output: Pipe) {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "reports its progress when asked",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [Self.variable: "\(url) \(file.path(percentEncoded: false))"]
    ) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }

  private func waitForMegabytes(_ count: Int, of output: Pipe) async throws {
    try await onOwnThread {
      var text = ""
      while !text.contains("received \(count << 20)\n") {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw POSIXError(.EPIPE) }
        text += String(decoding: data, as: UTF8.self)
      }
    }
  }
}
