public import PortolanApp

/// What a command may use.
///
/// A copy goes to each command, with the options of its own line; what outlives a command is
/// behind references.
@MainActor
public struct Session: Sendable {
  /// What is open, and its screens.
  public let app: AppModel
  /// What hands out the sample, if this build has one.
  public let sample: (any SamplePackageSource)?
  /// What starts demo portals, if this build has one.
  public let demoPortal: (any DemoPortalStarting)?
  /// Signing in, settings and the network, in an app that has them.
  public let account: AccountScreens?
  /// Where secrets come from.
  public let secrets: SecretSource
  /// Where output goes.
  public let console: any Console
  /// The commands, for those that call others.
  public let interpreter: Interpreter
  /// What the line editor may offer; commands that change it say so here.
  public let completions: CompletionSource
  /// What the person asked for on this line or when Portolan started.
  public var options: GlobalOptions
  /// How many scripts are running inside each other.
  var scriptDepth = 0

  /// Creates a session.
  public init(
    console: any Console, options: GlobalOptions, app: AppModel,
    sample: (any SamplePackageSource)? = nil, demoPortal: (any DemoPortalStarting)? = nil,
    account: AccountScreens? = nil,
    environment: [String: String] = [:],
    interpreter: Interpreter = Interpreter(.standard),
    completions: CompletionSource = CompletionSource()
  ) {
    self.console = console
    self.app = app
    self.sample = sample
    self.demoPortal = demoPortal
    self.account = account
    secrets = SecretSource(environment: environment, console: console)
    self.options = options
    self.interpreter = interpreter
    self.completions = completions
  }

  /// Brings results, notes and progress to the console.
  public var presenter: Presenter { Presenter(console: console, options: options) }
}

extension Session {
  /// Offers the names of the open map to the line editor, and shows its title as the prompt.
  func offerWords() {
    var snapshot = CompletionSource.Snapshot()
    if let map = app.map {
      snapshot.mapTitle = map.state.title
      snapshot.words[.layer] = map.tableOfContents.state.flattened.map(\.title)
      snapshot.words[.bookmark] = map.bookmarks.state.bookmarks.map(\.name)
    }
    completions.update(snapshot)
  }
}
