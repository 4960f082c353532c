import Foundation
import PortolanComposition

@testable import PortolanREPL

/// A session of the live app, with a home of its own, that remembers what a person would see.
@MainActor
struct LiveSession {
  /// What is seen.
  let console: TranscriptConsole
  private let session: Session
  /// Texts that differ from run to run, and what stands for them.
  private let replacements: [(String, String)]

  /// Starts the app as a process would.
  ///
  /// - Parameters:
  ///   - home: The home folder.
  ///   - portal: The portal that the command line names.
  ///   - isOffline: Whether `--offline` was given.
  ///   - environment: The environment of the process.
  ///   - console: What is seen, and who answers.
  ///   - replacing: Texts that differ from run to run, and what stands for them.
  init(
    home: URL, portal: URL? = nil, isOffline: Bool = false, environment: [String: String] = [:],
    console: TranscriptConsole = TranscriptConsole(width: 100, usesColor: false),
    replacing: [(URL, String)] = []
  ) {
    let folder = HomeFolder(option: home.path(percentEncoded: false), environment: [:])
    let app = LiveApp(home: folder)
    let account = LiveAccount(
      home: folder, environment: environment, portal: portal?.absoluteString, isOffline: isOffline)
    var options = GlobalOptions()
    options.isOffline = isOffline
    session = Session(
      console: console, options: options, app: app.model(for: account), sample: app.sample(),
      tour: app.tour(environment: [:]), account: account.screens, environment: environment)
    self.console = console
    replacements = replacing.map { url, name in
      (url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString, name)
    }
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
