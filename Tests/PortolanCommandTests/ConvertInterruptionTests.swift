import Foundation
import PortolanTestSupport
import Testing

/// The files that are left when a conversion is stopped from outside.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ConvertInterruptionTests {
  private var input: URL { temporaryDirectory.appending(path: "points.geojson") }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: temporaryDirectory.path(percentEncoded: false))
  }

  @Test(arguments: ["out.gpkg", "out.geodatabase", "out.geojson"])
  func `Ctrl-C leaves nothing behind`(name: String) async throws {
    let process = try await stop(name) { $0.interrupt() }
    #expect(process.terminationStatus == 130)
    #expect(try names() == ["points.geojson"])
  }

  @Test(arguments: ["out.gpkg", "out.geojson"])
  func `A killed process leaves nothing that looks like a result`(name: String) async throws {
    _ = try await stop(name) { kill($0.processIdentifier, SIGKILL) }
    let left = try names().filter { $0 != "points.geojson" }
    #expect(left.allSatisfy { $0.hasPrefix(".") })
    for file in left {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
        ofItemAtPath: temporaryDirectory.appending(path: file).path(percentEncoded: false))
    }
    let small = temporaryDirectory.appending(path: "small.geojson")
    try Data(#"{"type":"Point","coordinates":[1,2]}"#.utf8).write(to: small)
    let path = temporaryDirectory.appending(path: name).path(percentEncoded: false)
    let again = try await PortolanProcess.run(
      ["convert", small.path(percentEncoded: false), path], home: temporaryDirectory)
    #expect(again.status == 0)
    #expect(try names().sorted() == [name, "points.geojson", "small.geojson"])
  }

  /// Starts a conversion of many points, stops it when rows are being written, and returns when it
  /// is over.
  ///
  /// One that ended by itself, before the signal came, is made again of more points.
  private func stop(
    _ name: String, _ signal: @escaping @Sendable (Process) -> Void
  ) async throws -> Process {
    for count in [60_000, 240_000] {
      let process = try await stop(name, count: count, signal)
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        return process
      }
      try FileManager.default.removeItem(at: temporaryDirectory.appending(path: name))
    }
    return try await stop(name, count: 960_000, signal)
  }

  private func stop(
    _ name: String, count: Int, _ signal: @escaping @Sendable (Process) -> Void
  ) async throws -> Process {
    try write(count: count)
    let paths = [input, temporaryDirectory.appending(path: name)].map {
      $0.path(percentEncoded: false)
    }
    let process = PortolanProcess.make(
      ["convert"] + paths + ["--json"], home: temporaryDirectory)
    let notes = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = notes
    return try await onOwnThread {
      try PortolanProcess.start(process)
      // The first report comes when the target has been begun.
      _ = notes.fileHandleForReading.availableData
      signal(process)
      process.waitUntilExit()
      return process
    }
  }

  private func write(count: Int) throws {
    let lines = (0..<count).map { number in
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(number % 180),5]},"#
        + #""properties":{"name":"point \#(number)","number":\#(number)}}"#
    }
    try Data(lines.joined(separator: "\n").utf8).write(to: input)
  }
}
