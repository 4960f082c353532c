internal import Foundation
internal import PortolanApp

/// Signs in to a portal.
struct SignInCommand: AccountCommand {
  static let user = Parameter.option("user", "NAME", "The user name, for a password.")
  static let oauth = Parameter.flag("oauth", "Sign in on the portal's page, in a browser here.")
  static let code = Parameter.flag(
    "code", "Sign in on the portal's page in any browser, and paste the code it shows.")
  static let app = Parameter.flag("app", "Sign in as the app itself, with its secret.")
  static let apiKey = Parameter.flag("api-key", "Sign in with an API key.")
  static let server = Parameter.option(
    "server", "URL",
    "A server that keeps users of its own, or a service on it, instead of a portal.")
  static let passwordDescriptor = Parameter.option(
    "password-fd", "N", "The file descriptor to read the password from.")
  static let codeDescriptor = Parameter.option(
    "code-fd", "N", "The file descriptor to read the code from.")
  static let keyDescriptor = Parameter.option(
    "api-key-fd", "N", "The file descriptor to read the API key from.")
  static let secretDescriptor = Parameter.option(
    "secret-fd", "N", "The file descriptor to read the app's secret from.")

  static let declaration = CommandDeclaration(
    "sign-in", summary: "Sign in to a portal.", topic: .portal,
    parameters: [
      user, oauth, code, app, apiKey, server, passwordDescriptor, codeDescriptor, keyDescriptor,
      secretDescriptor,
    ],
    discussion: [
      "The portal is that of --portal, in any form that browsers know it by. Secrets are typed "
        + "unseen, read from a file descriptor, or taken from PORTOLAN_PASSWORD, PORTOLAN_API_KEY "
        + "or PORTOLAN_CLIENT_SECRET; they are never words of the command line. A password is not "
        + "kept; the token is, in the desktop's secret service or in a file that only you can read.",
      "OAuth needs the id of an app that is registered at the portal: \"settings set "
        + "oauth-client-id ID\".",
      "Services of a server that belongs to no portal may have users of their own. Jobs that wait for a sign-in "
        + "there continue after one with --server.",
    ],
    examples: [
      .init("sign-in --user kim --portal gis.example.org", "asks for the password"),
      .init("sign-in --oauth", "waits for the browser"),
      .init("sign-in --code", "for a browser on another machine"),
      .init("sign-in --user kim --server maps.example.org/arcgis", "to a server without a portal"),
    ])

  private enum Way {
    case password
    case browser
    case code
    case app
    case apiKey
  }

  private let way: Way
  private let username: String?
  private let server: String?
  private let descriptor: Int?

  init(parsing arguments: Arguments) throws(UsageError) {
    let ways: [(Way, Parameter, Parameter?)] = [
      (.password, Self.user, Self.passwordDescriptor), (.browser, Self.oauth, nil),
      (.code, Self.code, Self.codeDescriptor), (.app, Self.app, Self.secretDescriptor),
      (.apiKey, Self.apiKey, Self.keyDescriptor),
    ]
    let asked = ways.filter { way in
      arguments.isGiven(way.1) || way.2.map(arguments.isGiven) == true
    }
    guard asked.count <= 1 else {
      let names = asked.map { "--\($0.1.name)" }.joined(separator: " and ")
      throw UsageError("Only one way to sign in can be chosen, not \(names).")
    }
    way = asked.first?.0 ?? .password
    username = try arguments.value(of: Self.user, as: .text)
    server = try arguments.value(of: Self.server, as: .text)
    guard server == nil || way == .password else {
      throw UsageError("Users of a server sign in with a name and a password.")
    }
    let option = asked.first?.2 ?? Self.passwordDescriptor
    descriptor = try arguments.value(of: option, as: .integer(in: 0...Int(Int32.max)))
  }

  @MainActor func run(
    with account: AccountScreens, in session: Session
  ) async throws -> CommandResult {
    let model = account.session
    switch way {
    case .password:
      let (name, password) = try await nameAndPassword(session)
      if let server {
        let user = try await model.signIn(toServer: server, username: name, password: password)
        return CommandResult(
          text: TextDocument("Signed in as \(user.name), \(user.host)."), json: user.document)
      }
      try await model.signIn(username: name, password: password)
    case .browser:
      try await model.signInWithBrowser { page in
        session.presenter.note("Open this page in a browser: \(page.absoluteString)")
      }
    case .code: try await signInWithCode(model, session)
    case .app:
      let secret = try await session.secrets.secret(
        "client secret", descriptor: descriptor, variable: "PORTOLAN_CLIENT_SECRET",
        option: Self.secretDescriptor)
      try await model.signIn(clientSecret: secret)
    case .apiKey:
      let key = try await session.secrets.secret(
        "API key", descriptor: descriptor, variable: "PORTOLAN_API_KEY",
        option: Self.keyDescriptor)
      try await model.signIn(apiKey: key)
    }
    return CommandResult(text: model.state.greeting, json: model.state.json)
  }

  @MainActor private func nameAndPassword(
    _ session: Session
  ) async throws -> (name: String, password: SignInSecret) {
    var name = username ?? session.secrets.variable("PORTOLAN_USER")
    if name == nil { name = await session.secrets.answer(to: "User name: ") }
    try Task.checkCancellation()
    guard let name, !name.isEmpty else {
      throw Failure.usage(
        "There is no user name.",
        suggestion: server == nil
          ? "Give --user NAME, or choose --oauth, --code, --app or --api-key." : "Give --user NAME."
      )
    }
    let password = try await session.secrets.secret(
      "password", descriptor: descriptor, variable: "PORTOLAN_PASSWORD",
      option: Self.passwordDescriptor)
    return (name, password)
  }

  @MainActor private func signInWithCode(_ model: SessionModel, _ session: Session) async throws {
    let page = try await model.beginPasting()
    session.presenter.note("Open this page in any browser: \(page.absoluteString)")
    session.presenter.note("Then paste the code that it shows.")
    do {
      let code = try await session.secrets.secret(
        "code", descriptor: descriptor, variable: nil, option: Self.codeDescriptor)
      try await model.finishPasting(code)
    } catch {
      await model.cancelPasting()
      throw error
    }
  }
}
