internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// Serves the screens of Portolan to a browser on this machine until it is interrupted.
struct WebCommand: Command {
  static let port = Parameter.option(
    "port", "N",
    "The port to listen on; unless given that of the last time, if it is free, else any free one.")
  static let noBrowser = Parameter.flag("no-browser", "Do not open a browser.")
  static let demo = Parameter.flag(
    "demo", "Show a demo portal, with a home folder of its own that is removed at the end.")
  static let watch = Parameter.option(
    "watch", "FOLDER", "Offer the packages in a folder, and new ones as they appear.",
    completion: .file)

  static let declaration = CommandDeclaration(
    "web", summary: "Open Portolan in a browser.", topic: .shell,
    parameters: [port, noBrowser, demo, watch],
    discussion: [
      "The same maps, downloads and edits as at the prompt, in a browser on this machine. The page "
        + "comes from this process alone, so that it works without a network.",
      "The address is the first line on standard output. It holds a token that lets a browser in: "
        + "other programs and other users of this machine do not know it. Portolan is served until "
        + "Ctrl-C, which ends the command with status 130.",
      "With --watch the list of maps offers the packages of a folder, as \"import --watch\" does; a "
        + "folder can be chosen in the browser as well.",
    ],
    examples: [
      .init("web", "opens the browser"),
      .init("web --demo", "a portal on this machine, to try everything out"),
      .init("web --port 8090 --no-browser", "an address with the same port each time"),
    ])

  private let port: UInt16
  private let opensBrowser: Bool
  private let isDemo: Bool
  private let watched: URL?

  init(parsing arguments: Arguments) throws(UsageError) {
    let port = try arguments.value(of: Self.port, as: .integer(in: 0...65_535)) ?? 0
    self.port = UInt16(clamping: port)
    opensBrowser = !arguments.isSet(Self.noBrowser)
    isDemo = arguments.isSet(Self.demo)
    watched = try arguments.value(of: Self.watch, as: .file)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    if isDemo { try session.refuseOptions(ignoredBy: "--demo", "Leave out one of them.") }
    guard let starter = session.webApp else {
      throw Failure(.notIncluded, "This build comes without the web app.")
    }
    let app = try await starter.start(port: port, isDemo: isDemo, watching: watched)
    do {
      try session.presenter.present(
        CommandResult(
          text: TextDocument(app.url.absoluteString), json: ["url": .string(app.url.absoluteString)]
        ))
      session.presenter.note("Open the address in a browser on this machine. Ctrl-C ends it.")
      if opensBrowser, !session.openBrowser(app.urlForOneBrowser) {
        session.presenter.note("No browser could be opened.")
      }
      await app.run()
      await app.stop()
      return Task.isCancelled ? .servedUntilInterrupted : CommandResult()
    } catch {
      await app.stop()
      throw error
    }
  }
}
