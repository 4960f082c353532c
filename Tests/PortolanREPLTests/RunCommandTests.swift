import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite(.temporaryDirectory) struct RunCommandTests {
  private func run(_ script: String, _ options: String = "") async throws -> String {
    let file = temporaryDirectory.appending(path: "script")
    try Data(script.utf8).write(to: file)
    let path = file.path(percentEncoded: false)
    let text = await transcript(of: ["run \(path) \(options)"])
    return text.replacing(path, with: "SCRIPT")
  }

  @Test func `Scripts read as recorded`() async throws {
    let scripts = [
      "# nothing\n\n", "version\n  # c\r\nsample f\r\n", "version\n\nfail absent\nversion",
      "version\nfail partly\nversion", "version\nquit\nversion", "sample", "stream 2\nversion",
      "wrong \"quote",
    ]
    var text = ""
    for script in scripts {
      text += "--- \(script.debugDescription)\n"
      text += try await run(script)
      text += try await run(script, "--json")
    }
    try expectSnapshot(text, named: "scripts.txt")
  }

  @Test func `Lines continue after a backslash, and comments may follow commands`() {
    let script =
      "sample \\\n  f # what it has\n# no line \\\nversion\nfail\\\r\n absent\n"
      + "list '#' \"\\#\" #ff0000\nend \\\\\nlast \\"
    #expect(
      ScriptLine.lines(in: script).map { "\($0.number) \($0.text)" } == [
        "1 sample   f", "4 version", "5 fail absent", "7 list '#' \"\\#\" #ff0000", #"8 end \\"#,
        #"9 last \"#,
      ])
  }

  @Test func `A script that runs itself ends`() async throws {
    let file = temporaryDirectory.appending(path: "loop")
    let path = file.path(percentEncoded: false)
    try Data("run \(path)\n".utf8).write(to: file)
    let text = await transcript(of: ["run \(path)"])
    #expect(text.contains("Scripts run each other more than 16 deep."))
    #expect(text.hasSuffix("[failed]\n"))
  }

  @Test(.timeLimit(.minutes(5))) func `A device is no script`() async {
    let seen = await transcript(of: ["run /dev/zero"])
    #expect(seen.contains("no plain file"))
    #expect(seen.contains("[failed]"))
  }

  @Test func `A script that is not there is not found`() async throws {
    let text = await transcript(of: ["run /nowhere/script"])
    #expect(text.contains("! error: There is no file /nowhere/script.\n!   Check the path"))
    #expect(text.hasSuffix("[notFound]\n"))
  }
}
