public import Foundation
public import PortolanApp
internal import PortolanJobs

/// The dependencies of a command.
///
/// A copy goes to each command, with the options of its own line; what outlives a command is
/// behind references.
@MainActor
public struct Session: Sendable {
  /// The models of the app.
  public private(set) var app: AppModel
  /// Provides the sample, if this build has one.
  public let sample: (any SamplePackageSource)?
  /// Stages tours, if this build can.
  public let tour: (any TourStaging)?
  /// Starts demo portals, if this build can.
  public let demoPortal: (any DemoPortalStarting)?
  /// Starts the web app, if this build can.
  public let webApp: (any WebAppStarting)?
  /// Opens a page in a browser; `false` if there is none.
  public let openBrowser: @MainActor @Sendable (URL) -> Bool
  /// Opens a file in the desktop's program for its type; `false` if there is none.
  public let openFile: @MainActor @Sendable (URL) -> Bool
  /// Signing in, settings and the network, in an app that has them.
  public let account: AccountScreens?
  /// The source of secrets.
  public let secrets: SecretSource
  /// The format of pictures in the terminal.
  public let pictureFormat: TerminalPictureFormat
  /// The console that output goes to.
  public let console: any Console
  /// The commands, for those that call others.
  public let interpreter: Interpreter
  /// The words that the line editor may offer; commands that change them update this.
  public let completions: CompletionSource
  /// The conflicts that the user has seen.
  let listedConflicts = ListedConflicts()
  /// The options of this line, or those given when Portolan started.
  public var options: GlobalOptions
  /// Whether downloads continue beside the lines of this session, as at a prompt.
  var worksBesidePrompt = false
  /// Whether the open map stays open after the command that is running.
  var keepsMap = true
  /// Reads standard input, up to one byte more than a limit.
  var readInput: @Sendable (_ limit: Int) throws -> Data = {
    try Session.bytes(of: .standardInput, upTo: $0)
  }
  /// The depth of nested scripts.
  var scriptDepth = 0

  /// Creates a session.
  public init(
    console: any Console, options: GlobalOptions, app: AppModel,
    sample: (any SamplePackageSource)? = nil, tour: (any TourStaging)? = nil,
    demoPortal: (any DemoPortalStarting)? = nil,
    webApp: (any WebAppStarting)? = nil,
    openBrowser: @escaping @MainActor @Sendable (URL) -> Bool = { _ in false },
    openFile: @escaping @MainActor @Sendable (URL) -> Bool = { _ in false },
    account: AccountScreens? = nil,
    environment: [String: String] = [:],
    interpreter: Interpreter = Interpreter(.standard),
    completions: CompletionSource = CompletionSource()
  ) {
    self.console = console
    self.app = app
    self.sample = sample
    self.tour = tour
    self.demoPortal = demoPortal
    self.webApp = webApp
    self.openBrowser = openBrowser
    self.openFile = openFile
    self.account = account
    secrets = SecretSource(environment: environment, console: console)
    pictureFormat = TerminalPictureFormat(
      environment: environment, usesColor: console.usesColor && !options.refusesColor)
    self.options = options
    self.interpreter = interpreter
    self.completions = completions
  }

  /// Brings results, notes and progress to the console.
  public var presenter: Presenter { Presenter(console: console, options: options) }
}

extension Session {
  /// The session for a command on another map than the open one, which is closed afterwards.
  func beside() -> Session {
    var session = self
    session.app = app.beside()
    session.keepsMap = false
    return session
  }

  /// Notes that a command's change to the map ends with the command, if it does.
  func noteMapCloses(_ advice: String? = nil) {
    guard !keepsMap else { return }
    let note = "The map is closed when this command ends, and the change with it."
    presenter.note(
      [note, advice ?? "Give several commands at the prompt, or \"run\" a script."]
        .joined(separator: " "))
  }

  /// Tells the user when another process keeps what is stored here from being changed.
  func reportWaits() {
    app.library?.reportWaits { [presenter] sentence in presenter.note(sentence) }
  }

  /// Offers the names of the open map and of the library to the line editor, and shows the map's
  /// title as the prompt.
  func offerWords() {
    guard keepsMap else { return }
    var snapshot = CompletionSource.Snapshot()
    if let map = app.map {
      snapshot.mapTitle = map.state.title
      snapshot.words[.layer] = map.tableOfContents.state.flattened.map(\.title)
      snapshot.words[.bookmark] = map.bookmarks.state.bookmarks.map(\.name)
    }
    if let tiles = app.tiles?.state {
      snapshot.words[.tileRegion] = tiles.regions.map(\.name)
      snapshot.words[.tileSource] = tiles.sources.map(\.name)
    }
    if let library = app.library { snapshot.words.merge(Self.words(of: library)) { $1 } }
    completions.update(snapshot)
  }

  private static func words(of library: LibraryScreens) -> [SessionWord: [String]] {
    func names(_ rows: [MapListItem]) -> [String] { rows.map(\.title) + rows.map(\.id) }
    let rows = library.mapList?.state.items ?? []
    let jobs = library.jobList?.jobs ?? []
    let deleted = library.storageScreen?.usage?.maps.filter { $0.deleted != nil } ?? []
    return [
      .map: names(rows.filter(\.canOpen)), .storedMap: names(rows.filter(\.canOpenOffline)),
      .webMap: names(rows.filter { $0.kind == .webMap }),
      .area: names(rows.filter(\.canDownload)),
      .deletedMap: deleted.map(\.title) + deleted.map(\.id),
      .job: jobs.map(\.title) + jobs.map(\.id.text),
    ]
  }
}
