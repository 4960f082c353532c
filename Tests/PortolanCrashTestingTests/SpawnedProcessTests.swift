import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanCrashTesting

@Suite struct SpawnedProcessTests {
  @Test func `A process may write more to standard error than a pipe holds`() async throws {
    let (output, notes) = try await onOwnThread {
      let process = try SpawnedProcess(
        URL(filePath: "/bin/sh"), ["-c", "head -c 500000 /dev/zero >&2; echo done"],
        environment: ["PATH": "/usr/bin:/bin"])
      let output = process.output.readDataToEndOfFile()
      let notes = process.notes.text()
      #expect(process.wait {}.status == 0)
      return (String(decoding: output, as: UTF8.self), notes)
    }
    #expect(output == "done\n" && notes.utf8.count == 500_000)
  }
}
