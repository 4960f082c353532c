import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@Suite(.temporaryDirectory, .timeLimit(.minutes(2))) struct CompletionScriptTests {
  private nonisolated static let hasBash = FileManager.default.isExecutableFile(
    atPath: "/bin/bash")

  /// What bash offers for words, the last of which is being typed.
  private func offers(_ words: [String]) throws -> [String] {
    let folder = temporaryDirectory
    try Data(BashCompletion(.standard).script.utf8).write(to: folder.appending(path: "script"))
    try Data().write(to: folder.appending(path: "a map.mmpk"))
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    let bash = Process()
    bash.executableURL = URL(filePath: "/bin/bash")
    bash.currentDirectoryURL = folder
    bash.arguments =
      [
        "--norc", "-c",
        #"source ./script; COMP_WORDS=(portolan "$@"); COMP_CWORD=$#; _portolan; printf '%s\n' "${COMPREPLY[@]}""#,
        "bash",
      ] + words
    bash.standardInput = FileHandle.nullDevice
    bash.standardOutput = try FileHandle(forWritingTo: output)
    try bash.run()
    bash.waitUntilExit()
    #expect(bash.terminationStatus == 0)
    return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test(
    .enabled(if: hasBash, "there is no bash"),
    arguments: [
      (["insp"], ["inspect"]), (["--home", "x", "insp"], ["inspect"]),
      (["edit", "at"], ["attach"]),
      (["features", "--cs"], ["--csv"]), (["features", "a", "--crs", ""], ["native", "4326"]),
      (["inspect", "a"], ["a map.mmpk"]), (["snapshot", "x.png", "--map", "a"], ["a map.mmpk"]),
      (["features", "a", "--where", ""], []), (["completion", "z"], ["zsh"]),
      (["layers", "--ma"], ["--map"]),
      (["edit", "add", "--templ"], ["--template"]), (["nothing", ""], []),
    ])
  func `Bash offers commands, options, choices and files`(
    words: [String], expected: [String]
  ) throws {
    #expect(try offers(words) == expected)
  }

  @Test func `Every command and option is in each script`() {
    let scripts = [
      BashCompletion(.standard).script, ZshCompletion(.standard).script,
      FishCompletion(.standard).script,
    ]
    for declaration in CommandTable.standard.declarations {
      let words = declaration.name.split(separator: " ").map(String.init)
      for script in scripts {
        #expect(words.allSatisfy(script.contains), "\(declaration.name)")
        #expect(declaration.options.allSatisfy { script.contains($0.name) }, "\(declaration.name)")
      }
    }
  }

  @MainActor @Test func `The command writes the script and nothing else`() async {
    let text = await transcript(of: ["completion bash"], commands: .standard)
    #expect(text == "> completion bash\n" + BashCompletion(.standard).script + "\n")
    #expect(await transcript(of: ["completion tcsh"], commands: .standard).contains("[wrongUsage]"))
  }
}
