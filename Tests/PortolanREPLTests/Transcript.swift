@testable import PortolanREPL

/// Runs lines as a person would type them and returns what is seen, with the exit status of each.
@MainActor
func transcript(
  of lines: [String], options: GlobalOptions = GlobalOptions(), width: Int? = nil,
  usesColor: Bool = false, commands: CommandTable = .sample, files: StubFiles = StubFiles()
) async -> String {
  let console = TranscriptConsole(width: width, usesColor: usesColor)
  let session = Session(
    console: console, options: options, interpreter: Interpreter(commands),
    files: files)
  for line in lines {
    console.echo(line)
    let outcome = await session.interpreter.run(line, in: session)
    if outcome.status != .done { console.write("[\(outcome.status)]") }
    if outcome.endsSession { console.write("[the end]") }
  }
  return console.transcript
}
