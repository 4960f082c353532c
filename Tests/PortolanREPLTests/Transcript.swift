import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering

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

/// Runs lines in a session of the live app, with a file in the place of `PACKAGE`, whose path is not in
/// the transcript.
@MainActor
func liveTranscript(
  of lines: [String], on file: URL, home folder: URL, width: Int? = 100
) async -> String {
  let console = TranscriptConsole(width: width)
  let home = HomeFolder(
    option: folder.appending(path: "home").path(percentEncoded: false), environment: [:])
  let session = Session(
    console: console, options: GlobalOptions(),
    app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model())
  let path = file.path(percentEncoded: false)
  for line in lines {
    console.echo(line)
    let line = line.replacing("PACKAGE", with: "'\(path)'")
    let outcome = await session.interpreter.run(line, in: session)
    if outcome.status != .done { console.write("[\(outcome.status)]") }
  }
  // As the program does before it ends.
  await session.app.close()
  return console.transcript.replacing(path, with: "PACKAGE")
}
