internal import Foundation
internal import Observation
internal import PortolanApp
internal import PortolanJSON

/// Shows the package that a specification describes in the web app, and follows its files.
struct PreviewCommand: Command {
  static let specification = Parameter.argument(
    "SPEC", "The JSON file that describes the package.", completion: .file)

  static let declaration = CommandDeclaration(
    "preview", summary: "Show the package that a file describes, while it is being edited.",
    topic: .files, parameters: [specification, WebCommand.port, WebCommand.noBrowser],
    discussion: [
      "Makes the package of SPEC as \"create-package\" does, and opens it in a browser on this "
        + "machine. When SPEC or a file that it names changes, the package is made and shown again, at "
        + "the same map and place. What is wrong is listed here and in the browser, which keeps the map "
        + "that it shows.",
      "The package goes away at the end, Ctrl-C with status 130, unless it was saved in the browser.",
    ],
    examples: [.init("preview waterworks.json", "what it looks like, with each change")])

  private let url: URL
  private let port: UInt16
  private let opensBrowser: Bool

  init(parsing arguments: Arguments) throws(UsageError) {
    url = try arguments.required(Self.specification, as: .file)
    let port = try arguments.value(of: WebCommand.port, as: .integer(in: 0...65_535)) ?? 0
    self.port = UInt16(clamping: port)
    opensBrowser = !arguments.isSet(WebCommand.noBrowser)
  }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard let starter = session.webApp else {
      throw Failure(.notIncluded, "This build comes without the web app.")
    }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portolan-preview-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // The system removes what stays in a temporary folder.
    defer { try? FileManager.default.removeItem(at: folder) }
    let preview = PreviewModel(of: url, in: folder, app: session.app)
    await preview.refresh()
    if case .failed(let problem) = preview.state, session.app.map == nil { throw problem }
    session.app.preview = preview
    defer { session.app.preview = nil }
    let web = try await starter.start(port: port, isDemo: false, watching: nil)
    do {
      try await serve(web, preview, in: session)
    } catch {
      await end(web, session)
      throw error
    }
    await end(web, session)
    return Task.isCancelled ? .servedUntilInterrupted : CommandResult()
  }

  @MainActor private func serve(
    _ web: any RunningWebApp, _ preview: PreviewModel, in session: Session
  ) async throws {
    let address = Self.map(at: web.url)
    try session.presenter.present(
      CommandResult(
        text: TextDocument(address.absoluteString),
        json: ["url": .string(address.absoluteString)]))
    session.presenter.note("Open the address in a browser on this machine. Ctrl-C ends it.")
    if opensBrowser, !session.openBrowser(Self.map(at: web.urlForOneBrowser)) {
      session.presenter.note("No browser could be opened.")
    }
    let reporting = Task { await report(preview, in: session) }
    let following = Task { await preview.follow(clock: ContinuousClock()) }
    await web.run()
    following.cancel()
    reporting.cancel()
  }

  /// The address of the map's screen.
  private static func map(at address: URL) -> URL {
    URL(string: "#/map", relativeTo: address)?.absoluteURL ?? address
  }

  @MainActor private func report(_ preview: PreviewModel, in session: Session) async {
    for await state in Observations({ preview.state }) {
      switch state {
      case .idle, .making: break
      case .shown(let report, let revision):
        session.presenter.note(revision == 1 ? "The package is shown." : "Shown again.")
        for remark in report.remarks { session.presenter.note(remark) }
      case .failed(let problem): session.presenter.present(Failure(problem))
      }
    }
  }

  @MainActor private func end(_ web: any RunningWebApp, _ session: Session) async {
    await web.stop()
    await session.app.end()
  }
}
