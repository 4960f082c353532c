import Foundation
import PortolanFiles
import PortolanTestSupport
import Testing

/// Commands in a home in which another process holds the lock and does not end.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct HeldHomeTests {
  @Test func `Read-only commands answer, and name the process that holds the lock`() async throws {
    let home = temporaryDirectory.appending(path: "home")
    let folder = home.appending(path: "maps/found-map")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"title": "Found again", "type": "Mobile Map Package", "maps": []}"#.utf8)
      .write(to: folder.appending(path: "package.info"))
    let first = try await PortolanProcess.run(["--offline", "maps"], home: home)
    #expect(first.status == 0, "\(first)")
    let held = try FileLock.attempt(.exclusive, on: .lockFile(home.appending(path: ".lock")))
    let process = ProcessInfo.processInfo.processIdentifier
    for words in [["maps"], ["storage"], ["jobs"], ["audit"]] {
      let output = try await PortolanProcess.run(["--offline"] + words, home: home)
      #expect(output.status == 0, "\(words): \(output)")
      #expect(output.notes.contains("Process \(process) "), "\(words): \(output)")
      #expect(output.notes.contains("is changing what is stored here"), "\(words): \(output)")
    }
    withExtendedLifetime(held) {}
  }
}
