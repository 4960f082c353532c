import Foundation
import PortolanCurl
import PortolanTestSupport
import PortolanTransport
import Testing

/// Downloads by real processes from a demo portal that is a process too.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct DownloadProcessTests {
  /// *Explore Maine* of a demo portal with seed 1.
  private static let map = "168a3b7e2cd386bef0a76b7031859e14"
  /// The tiles of its area *Casco Bay*.
  private static let tiles = "167d0c8d5348c056a1e1e55147f9a069"

  private var home: URL { temporaryDirectory.appending(path: "home") }

  private func withPortal(_ body: (URL) async throws -> Void) async throws {
    let process = PortolanProcess.make(["demo-portal", "--quiet"], home: home)
    let output = Pipe()
    process.standardOutput = output
    try PortolanProcess.start(process)
    defer { process.interrupt() }
    let text = try await output.text(until: "\n")
    try await body(#require(URL(string: text.trimmingCharacters(in: .newlines))))
  }

  /// Lets something go wrong on the portal.
  private func fault(_ query: String, at portal: URL) async throws {
    let url = try #require(URL(string: "demo/faults?\(query)", relativeTo: portal)?.absoluteURL)
    let transport = CurlTransport(CurlConfiguration(userAgent: "Test/1.0"))
    #expect(try await transport.send(HTTPRequest(url, method: .post)).head.status == 200)
  }

  /// Lets the tiles of Casco Bay come in ten minutes.
  private func delayTiles(at portal: URL) async throws {
    try await fault("kind=latency&milliseconds=600000&path=*/\(Self.tiles)/data", at: portal)
  }

  /// Lets nothing go wrong any more.
  private func mend(_ portal: URL) async throws {
    let transport = CurlTransport(CurlConfiguration(userAgent: "Test/1.0"))
    let url = portal.appending(path: "demo/faults")
    _ = try await transport.send(HTTPRequest(url, method: .delete))
  }

  private func portolan(
    _ words: [String], at portal: URL
  ) async throws -> PortolanProcess.Output {
    try await PortolanProcess.run(["--portal", portal.absoluteString] + words, home: home)
  }

  @Test func `Beside a download the prompt takes keys, and lines appear above it`() async throws {
    try await withPortal { portal in
      #expect(try await portolan(["areas", Self.map], at: portal).status == 0)
      // Longer than it takes to type a word, whatever else the machine does.
      try await fault("kind=latency&milliseconds=3000&path=*/data", at: portal)
      let terminal = try PseudoTerminal()
      let process = PortolanProcess.make(["--portal", portal.absoluteString], home: home)
      process.standardInput = terminal.program
      process.standardOutput = terminal.program
      process.standardError = terminal.program
      try PortolanProcess.start(process)
      _ = try #require(try await terminal.wait(for: "portolan> "))
      terminal.type("download Casco\\ Bay\r")
      _ = try #require(try await terminal.wait(for: "\"Casco Bay\" is"))
      _ = try #require(try await terminal.wait(for: "portolan> "))
      terminal.type("vers")
      _ = try #require(try await terminal.wait(for: "vers"))
      let above = try #require(try await terminal.wait(for: "\"Casco Bay\" is on this device"))
      #expect(above.contains("\r\u{1B}[J"))
      // The prompt is there again with what was typed, and goes on from it.
      _ = try #require(try await terminal.wait(for: "portolan> vers"))
      terminal.type("\t")
      _ = try #require(try await terminal.wait(for: "ion "))
      terminal.type("\r")
      _ = try #require(try await terminal.wait(for: "portolan 0."))
      _ = try #require(try await terminal.wait(for: "portolan> "))
      terminal.type("\u{4}")
      try await PortolanProcess.end(of: process)
      #expect(process.terminationStatus == 0)
    }
  }

  @Test func `Ctrl-C stops a download that later resumes where it was`() async throws {
    try await withPortal { portal in
      #expect(try await portolan(["areas", Self.map], at: portal).status == 0)
      try await delayTiles(at: portal)
      let download = try Download(["download", "Casco Bay"], at: portal, home: home)
      try await download.waitForFile()
      download.process.interrupt()
      try await PortolanProcess.end(of: download.process)
      #expect(download.process.terminationStatus == 130)
      let jobs = try await portolan(["jobs", "--json"], at: portal)
      #expect(jobs.text.contains(#""items":1"#), "\(jobs.text)")
      try await mend(portal)
      let end = try await portolan(["resume", "Casco Bay"], at: portal)
      #expect(end.status == 0 && end.text.contains("is on this device"), "\(end)")
    }
  }

  @Test func `A killed download resumes where it was`() async throws {
    try await withPortal { portal in
      #expect(try await portolan(["areas", Self.map], at: portal).status == 0)
      try await delayTiles(at: portal)
      let download = try Download(["download", "Casco Bay"], at: portal, home: home)
      try await download.waitForFile()
      kill(download.process.processIdentifier, SIGKILL)
      try await PortolanProcess.end(of: download.process)
      #expect(try await portolan(["audit"], at: portal).status == 0)
      try await mend(portal)
      let end = try await portolan(["download", "Casco Bay", "--json"], at: portal)
      #expect(end.status == 0)
      #expect(!end.notes.contains(#""items":0"#), "\(end.notes)")
    }
  }

  @Test func `With JSON progress is a document a line on standard error`() async throws {
    try await withPortal { portal in
      #expect(try await portolan(["areas", Self.map], at: portal).status == 0)
      let output = try await portolan(["download", "Casco Bay", "--json"], at: portal)
      let lines = output.notes.split(separator: "\n")
      #expect(!lines.isEmpty)
      for line in lines + [output.text[...]] {
        #expect(try JSONSerialization.jsonObject(with: Data(line.utf8)) is [String: Any])
      }
    }
  }
}

/// A download that runs as a process and tells how far it is.
private struct Download {
  let process: Process
  private let notes = Pipe()

  init(_ words: [String], at portal: URL, home: URL) throws {
    process = PortolanProcess.make(
      ["--portal", portal.absoluteString, "--json"] + words, home: home)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = notes
    try PortolanProcess.start(process)
  }

  /// Waits until it tells of a file that is there.
  func waitForFile() async throws {
    let text = try await notes.text(until: #""items":1"#)
    try #require(text.contains(#""items":1"#), "it ended: \(text)")
  }
}

extension Pipe {
  /// The text that is written into it until another text comes or the other end is closed.
  fileprivate func text(until end: String) async throws -> String {
    try await onOwnThread {
      var text = ""
      while !text.contains(end) {
        let piece = self.fileHandleForReading.availableData
        guard !piece.isEmpty else { break }
        text += String(decoding: piece, as: UTF8.self)
      }
      return text
    }
  }
}
