import Foundation
import PortolanTestSupport
import Testing

/// The tests' own way of running a program.
struct PortolanProcessTests {
  @Test(.timeLimit(.minutes(5)))
  func `A process that writes more than a pipe holds, on either output, comes to its end`()
    async throws
  {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero; cat > /dev/null; exit 3",
    ]
    let output = try await PortolanProcess.run(
      process, input: String(repeating: "x", count: 300_000))
    #expect(output.notes.utf8.count == 300_000 && output.text.utf8.count == 300_000)
    #expect(output.status == 3)
  }
}
