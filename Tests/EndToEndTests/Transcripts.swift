import Foundation
import PortolanComposition

@testable import PortolanREPL

/// A session of the live app, with a home of its own, that remembers what a person would see.
@MainActor
struct LiveSession {
  private let console = TranscriptConsole(width: 100, usesColor: false)
  private let session: Session
  /// Texts that differ from machine to machine, and what stands for them.
  private let replacements: [(String, String)]

  init(home: URL, options: GlobalOptions = GlobalOptions(), replacing: [(URL, String)] = []) {
    let app = LiveApp(home: HomeFolder(option: home.path(percentEncoded: false), environment: [:]))
    session = Session(
      console: console, options: options, app: app.model(), sample: app.sample())
    replacements = replacing.map { ($0.path(percentEncoded: false), $1) }
  }

  /// Types lines and returns all that is seen.
  func transcript(_ lines: [String]) async -> String {
    for line in lines {
      console.echo(line)
      let outcome = await session.interpreter.run(line, in: session)
      if outcome.status != .done { console.write("[\(outcome.status)]") }
    }
    return replacements.reduce(console.transcript) { $0.replacing($1.0, with: $1.1) }
  }
}
