import Foundation
import PortolanTestSupport
import Testing

/// The files that a crash of the command would leave on the disk.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct CoreFileTests {
  @Test func `A crash leaves no memory with passwords on the disk`() async throws {
    let process = PortolanProcess.make([], home: temporaryDirectory.appending(path: "home"))
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try PortolanProcess.start(process)
    try input.fileHandleForWriting.write(contentsOf: Data("version\n".utf8))
    // It has begun when it answers.
    #expect(output.fileHandleForReading.availableData.isEmpty == false)
    let limits = try String(
      contentsOfFile: "/proc/\(process.processIdentifier)/limits", encoding: .utf8)
    let core = try #require(limits.split(separator: "\n").first { $0.contains("core file size") })
    #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core)")
    try input.fileHandleForWriting.close()
    try await PortolanProcess.end(of: process)
  }
}
