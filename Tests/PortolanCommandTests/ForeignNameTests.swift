import Foundation
import PortolanTestSupport
import Testing

/// Names of files that are bytes and no text.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ForeignNameTests {
  @Test(arguments: ["open", "inspect"])
  func `A file whose name is not UTF-8 is refused with the reason`(_ command: String) async throws {
    let process = PortolanProcess.make([], home: temporaryDirectory.appending(path: "home"))
    let program = try #require(process.executableURL?.path(percentEncoded: false))
    process.executableURL = URL(filePath: "/bin/sh")
    process.currentDirectoryURL = temporaryDirectory
    process.arguments = [
      "-c", #"name=$(printf '\377.mmpk'); touch "$name"; exec "$0" "$1" "$name""#, program, command,
    ]
    let notes = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = notes
    try PortolanProcess.start(process)
    let text = try notes.fileHandleForReading.readToEnd() ?? Data()
    try await PortolanProcess.end(of: process)
    #expect(process.terminationStatus != 0)
    #expect(String(decoding: text, as: UTF8.self).contains("UTF-8"))
  }
}
