internal import Foundation
internal import PortolanApp
internal import PortolanFiles

/// Runs the lines of a file.
struct RunCommand: Command {
  static let file = Parameter.argument(
    "FILE", "The script; - is standard input.", completion: .file)

  static let declaration = CommandDeclaration(
    "run", summary: "Run the commands in a file.", topic: .shell, parameters: [file],
    discussion: [
      "A script holds one command a line, as they are typed at the prompt. Blank lines and lines "
        + "that begin with # are skipped, as is what follows a # that stands alone; a line that ends "
        + "in a backslash goes on in the next. The first command that fails ends the script and its "
        + "exit status becomes that of \"run\".",
      "With --json the document is {\"steps\":[{\"line\",\"command\",\"result\"}]}, with the "
        + "failure under \"error\" if there is one.",
    ],
    examples: [.init("run checks.portolan", "the commands of that file, one by one")])

  /// Scripts may run scripts, but not for ever.
  static let maximumDepth = 16

  /// The largest script, in bytes.
  static let maximumSize = 16 << 20

  private let script: URL

  init(parsing arguments: Arguments) throws(UsageError) {
    script = try arguments.required(Self.file, as: .file)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    var session = session
    session.scriptDepth += 1
    guard session.scriptDepth <= Self.maximumDepth else {
      throw Failure(
        .scriptsNestedTooDeep, "Scripts run each other more than \(Self.maximumDepth) deep.",
        suggestion: "Look whether a script runs itself.", file: script.relativePath)
    }
    let lines =
      script.isStandardStream
      ? ScriptLine.lines(
        in: String(
          decoding: try session.standardInput(limit: Self.maximumSize), as: UTF8.self))
      : try Self.lines(of: script)
    return try await Script(lines: lines, file: script.relativePath).run(in: session)
  }

  private static func lines(of script: URL) throws(Failure) -> [ScriptLine] {
    let path = script.relativePath
    guard FileManager.default.fileExists(atPath: script.path(percentEncoded: false)) else {
      throw Failure(
        .noSuchFile, "There is no file \(path).",
        suggestion: "Check the path of the script, a text file with a command a line.", file: path,
        status: .notFound)
    }
    do {
      let values = try script.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
      guard values.isRegularFile == true, values.fileSize ?? 0 <= maximumSize else {
        throw Failure(
          .unreadable, "\(path) is no script: it is no plain file, or larger than 16 MB.",
          file: path)
      }
      return ScriptLine.lines(in: try String(contentsOf: script, encoding: .utf8))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        .unreadable, "The script \(path) cannot be read.", reason: "\(error.plainReason).",
        suggestion: "Check that it is a text file and that you may read it.", file: path)
    }
  }
}
