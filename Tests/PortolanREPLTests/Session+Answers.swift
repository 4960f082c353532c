import Foundation
import PortolanApp
import PortolanComposition
import PortolanRendering

@testable import PortolanREPL

extension Session {
  /// A session without a network on a home of its own.
  @MainActor static func offline(
    _ console: TranscriptConsole, home: String, _ options: GlobalOptions = GlobalOptions()
  ) -> Session {
    let home = HomeFolder(option: home, environment: [:])
    let account = LiveAccount(home: home, environment: [:], portal: nil, isOffline: true)
    return Session(
      console: console, options: options,
      app: LiveApp(home: home, timeZone: .gmt, drawing: PictureDrawing()).model(for: account))
  }
}

extension TranscriptConsole {
  /// Runs lines in a session that writes to this console, and closes its app.
  ///
  /// - Returns: What each line wrote, with its status unless it is done.
  @MainActor func answers(to lines: [String], in session: Session) async -> [String] {
    var answers: [String] = []
    var length = transcript.count
    for line in lines {
      let outcome = await session.interpreter.run(line, in: session)
      if outcome.status != .done { write("[\(outcome.status)]") }
      answers.append(String(transcript.dropFirst(length)))
      length = transcript.count
    }
    await session.app.close()
    return answers
  }
}
