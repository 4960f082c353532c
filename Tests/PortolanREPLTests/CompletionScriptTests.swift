import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct CompletionScriptTests {
  private nonisolated static let hasBash = FileManager.default.isExecutableFile(
    atPath: "/bin/bash")

  /// The completions of bash for words, the last of which is being typed.
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
      (["--portal", "http", ":", "//localhost", ":", "7070", "insp"], ["inspect"]),
      (["edit", "at"], ["attach"]),
      (["features", "--cs"], ["--csv"]),
      (["features", "a", "--crs", ""], ["native", "4326", "3857"]),
      (["inspect", "a"], ["a map.mmpk"]), (["snapshot", "x.png", "--map", "a"], ["a map.mmpk"]),
      (["features", "a", "--where", ""], []), (["completion", "z"], ["zsh"]),
      (["layers", "--ma"], ["--map"]), (["layers", "--map", "a"], ["a map.mmpk"]),
      (["edit", "add", "--templ"], ["--template"]), (["nothing", ""], []),
      (["settings", ""], ["set", "unset"]), (["settings", "set", "page"], ["page-size"]),
      (["settings", "unset", "--json", "page"], ["page-size"]),
      (["settings", "set", "s"], ["search-text"]),
    ])
  func `Bash offers commands, options, choices and files`(
    words: [String], expected: [String]
  ) throws {
    #expect(try offers(words) == expected)
  }

  // MARK: - zsh and fish

  /// The path of a shell, if it is installed.
  private nonisolated static func shell(_ name: String) -> String? {
    ["/bin/\(name)", "/usr/bin/\(name)"].first(where: FileManager.default.isExecutableFile)
  }

  /// The output of a shell that runs a script of ours and then another.
  private func output(of shell: String, _ script: String, then program: String) throws -> [String] {
    let folder = temporaryDirectory
    try Data(script.utf8).write(to: folder.appending(path: "script"))
    try Data().write(to: folder.appending(path: "a map.mmpk"))
    let output = folder.appending(path: "output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: shell)
    process.currentDirectoryURL = folder
    process.environment = ["HOME": folder.path(percentEncoded: false), "PATH": "/usr/bin:/bin"]
    process.arguments = ["-c", program]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test(
    .enabled(if: shell("fish") != nil, "there is no fish"),
    arguments: [
      ("portolan insp", ["inspect"]), ("portolan edit at", ["attach"]),
      ("portolan --home /maps insp", ["inspect"]),
      ("portolan --portal http://localhost:7070 edit at", ["attach"]),
      ("portolan quit edit at", []),
      ("portolan features a --crs ", ["3857", "4326", "native"]),
      ("portolan completion z", ["zsh"]),
      ("portolan features --cs", ["--csv"]), ("portolan layers --ma", ["--map"]),
      ("portolan edit add --templ", ["--template"]),
      ("portolan settings ", ["set", "unset"]), ("portolan settings set page", ["page-size"]),
    ])
  func `fish offers commands, options and choices`(_ line: String, expected: [String]) throws {
    let shell = try #require(Self.shell("fish"))
    let offers = try output(
      of: shell, FishCompletion(.standard).script, then: "source script; complete -C'\(line)'")
    #expect(offers.map { String($0.prefix { $0 != "\t" }) }.sorted() == expected)
  }

  /// zsh offers words on a terminal only; here its functions that offer print what they are given.
  @Test(
    .enabled(if: shell("zsh") != nil, "there is no zsh"),
    arguments: [
      (["portolan", "insp"], "inspect"), (["portolan", "edit", "at"], "attach"),
      (["portolan", "features", "a", "--crs", ""], "native"),
      (["portolan", "completion", "z"], "zsh"),
      (["portolan", "settings", "set", ""], "page-size"),
    ])
  func `zsh offers commands, options and choices`(_ words: [String], expected: String) throws {
    let shell = try #require(Self.shell("zsh"))
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let program = """
      compdef() { : }; compadd() { print -l -- "$@" }; _files() { print files }
      _describe() { shift; local name; for name in "$@"; do print -l -- ${(P)name}; done }
      _arguments() { print -l -- "$@" }; _values() { print -l -- "$@" }
      words=(\(list)); CURRENT=\(words.count)
      source ./script
      (( $+functions[_portolan] )) && _portolan
      exit 0
      """
    let offers = try output(of: shell, ZshCompletion(.standard).script, then: program)
    #expect(offers.contains { $0.contains(expected) }, "\(offers.prefix(20))")
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
