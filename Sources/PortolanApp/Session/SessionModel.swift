public import Foundation
public import Observation
public import PortolanPortal
public import PortolanTransport

/// The screen of signing in and out.
@MainActor
@Observable
public final class SessionModel {
  /// The dependencies of a sign-in.
  public struct Environment: Sendable {
    /// Opens ports for the portal's answers.
    public var redirects: any RedirectListening
    /// Whether there is a network.
    public var monitor: any NetworkMonitor
    /// The time.
    public var now: @Sendable () -> Date
    /// The app's id at portals.
    public var clientID: @Sendable () async -> String

    /// Creates an environment.
    public init(
      redirects: any RedirectListening, monitor: any NetworkMonitor,
      now: @escaping @Sendable () -> Date, clientID: @escaping @Sendable () async -> String
    ) {
      self.redirects = redirects
      self.monitor = monitor
      self.now = now
      self.clientID = clientID
    }
  }

  /// The current state; observe this.
  public private(set) var state = SessionState()

  /// The questions that requests wait for.
  public let prompts: AuthenticationPromptModel

  @ObservationIgnored let manager: AuthenticationManager
  @ObservationIgnored private let connector: PortalConnector
  @ObservationIgnored private let environment: Environment
  /// The authorization whose code the user is to paste, and the number of its sign-in.
  @ObservationIgnored private var pasting: (authorization: OAuthAuthorization, number: Int)?
  /// The task that waits for the browser's redirect.
  @ObservationIgnored private var waiting: Task<URL, any Error>?
  /// The portal with a sign-in when the current sign-in began.
  @ObservationIgnored private var portalBefore: URL?
  /// Counts the sign-ins; what an earlier one comes to is not shown over a later one.
  @ObservationIgnored private var signInNumber = 0
  @ObservationIgnored private var whenSignedIn: @MainActor @Sendable () async -> Void = {}

  /// The time that a person may take on the portal's page, in seconds.
  public static let patience = 300

  /// Creates the screen; nothing is read until ``restore(at:)``.
  public init(
    manager: AuthenticationManager, connector: PortalConnector,
    prompts: AuthenticationPromptModel, environment: Environment
  ) {
    self.manager = manager
    self.connector = connector
    self.prompts = prompts
    self.environment = environment
  }

  /// Sets the handler of sign-ins, so that what waited for one continues.
  public func observeSignIns(_ tell: @escaping @MainActor @Sendable () async -> Void) {
    whenSignedIn = tell
  }

  /// Shows who is signed in, from what is stored: portals with a sign-in are not asked.
  ///
  /// - Parameter portal: The portal as it was typed, or the one in use if `nil`.
  /// - Throws: A problem if the address is no portal's, or credentials cannot be read.
  public func restore(at portal: String? = nil) async throws(Problem) {
    do {
      let located = try await connector.locate(portal)
      try await show(located)
    } catch {
      state.problem = Problem(error)
      throw Problem(error)
    }
  }

  /// Shows who is signed in, and whether the portal still accepts that, if there is a network to ask it.
  ///
  /// - Parameter portal: The portal as it was typed, or the one in use if `nil`.
  /// - Throws: A problem if the address is no portal's, or credentials cannot be read.
  public func check(at portal: String? = nil) async throws(Problem) {
    try await restore(at: portal)
    guard let user = state.user, !user.needsSignIn else { return }
    let number = signInNumber
    var check = SignedInUser.Check.unknown(reason: "The portal does not answer.")
    do {
      guard !user.isOffline else { throw PortalError.transport(.offline) }
      let located = try await connector.locate(user.portal.absoluteString)
      switch try await connector.isSignInAccepted(at: located) {
      case true?: check = .accepted
      case false?: check = .refused
      case nil: break
      }
      // A renewal may have changed what is stored.
      if number == signInNumber { try await show(located) }
    } catch {
      let problem = Problem(error)
      guard problem.kind != .cancellation else { throw problem }
      check = .unknown(reason: problem.message)
    }
    if number == signInNumber { note(check) }
  }

  private func note(_ check: SignedInUser.Check) {
    guard var user = state.user else { return }
    user.check = check
    user.needsSignIn = user.needsSignIn || check == .refused
    state.users = state.users.map { $0.portal == user.portal ? user : $0 }
    state.phase = user.needsSignIn ? .needsSignIn(user) : .signedIn(user)
  }

  /// Signs in with a user name and a password, which is not kept.
  ///
  /// - Throws: A problem that says what the portal has against it.
  public func signIn(
    at portal: String? = nil, username: String, password: Secret
  )
    async throws(Problem)
  {
    try await signIn(at: portal) { located throws(PortalError) in
      try await self.manager.signIn(to: located, username: username, password: password)
    }
  }

  /// Signs in with an API key.
  ///
  /// - Throws: A problem that says what the portal has against it.
  public func signIn(at portal: String? = nil, apiKey: Secret) async throws(Problem) {
    try await signIn(at: portal) { located throws(PortalError) in
      try await self.manager.signIn(to: located, apiKey: apiKey)
    }
  }

  /// Signs in as the app itself, with its secret.
  ///
  /// - Throws: A problem that says what the portal has against it.
  public func signIn(at portal: String? = nil, clientSecret: Secret) async throws(Problem) {
    let clientID = await environment.clientID()
    try await signIn(at: portal) { located throws(PortalError) in
      try await self.manager.signIn(to: located, clientID: clientID, clientSecret: clientSecret)
    }
  }

  /// Signs in by OAuth with a browser on this machine, and waits for the user to finish.
  ///
  /// - Parameters:
  ///   - portal: The portal as it was typed, or the one in use if `nil`.
  ///   - open: Called once with the page to open.
  /// - Throws: A problem if the user declines, takes too long, or the portal refuses.
  public func signInWithBrowser(
    at portal: String? = nil, open: (URL) -> Void
  ) async throws(Problem) {
    let clientID = await environment.clientID()
    try await signIn(at: portal) { located throws(PortalError) in
      let listener = try await self.environment.redirects.open()
      let authorization = try await self.manager.beginAuthorization(
        at: located, clientID: clientID, redirectURI: listener.redirectURI)
      self.state.phase = .signingIn(page: authorization.page)
      open(authorization.page)
      let answer = try await self.answer(to: authorization, at: listener)
      let code = try authorization.code(fromRedirect: answer)
      try await self.manager.finish(authorization, code: code)
    }
  }

  private func answer(
    to authorization: OAuthAuthorization, at listener: any RedirectListener
  ) async throws(PortalError) -> URL {
    let waiting = Task {
      try await listener.answer(within: Self.patience) { authorization.isAnswer($0) }
    }
    self.waiting = waiting
    let result = await withTaskCancellationHandler {
      await waiting.result
    } onCancel: {
      waiting.cancel()
    }
    do { return try result.get() } catch { throw error as? PortalError ?? .cancelled }
  }

  /// Gives up a sign-in that waits for the user to come back from a browser; its call throws a
  /// cancellation.
  public func cancelSigningIn() { waiting?.cancel() }

  /// Begins a sign-in by OAuth whose code the user pastes.
  ///
  /// - Returns: The page to open in any browser; ``finishPasting(_:)`` takes what it shows.
  /// - Throws: A problem if the portal cannot be used.
  public func beginPasting(at portal: String? = nil) async throws(Problem) -> URL {
    let clientID = await environment.clientID()
    do {
      let located = try await connector.locate(portal)
      let authorization = try await manager.beginAuthorization(
        at: located, clientID: clientID, redirectURI: OAuthAuthorization.outOfBand)
      pasting = (authorization, beginSignIn())
      state.phase = .signingIn(page: authorization.page)
      return authorization.page
    } catch {
      throw Problem(error)
    }
  }

  /// Finishes a sign-in with the code, or the address of the page that shows it.
  ///
  /// - Throws: A problem if nothing was begun, or the portal refuses the code.
  public func finishPasting(_ text: Secret) async throws(Problem) {
    guard let authorization = pasting?.authorization else {
      throw Problem(message: "No sign-in is waiting for a code.", suggestion: "Start one first.")
    }
    pasting = nil
    try await signIn(to: authorization.portal) { _ throws(PortalError) in
      let code = try authorization.code(fromPasted: text.value)
      try await self.manager.finish(authorization, code: code)
    }
  }

  /// Gives up a sign-in that waits for a code.
  public func cancelPasting() async {
    guard let (authorization, number) = pasting else { return }
    pasting = nil
    // One that has begun since is shown.
    guard number == signInNumber else { return }
    await showWhatWasBefore(authorization.portal)
  }

  /// Signs out, also without a network.
  ///
  /// - Returns: Who was signed out, and what became of the tokens at the portal.
  /// - Throws: A problem if no user is signed in, or the credentials cannot be removed.
  @discardableResult public func signOut(
    of portal: String? = nil
  ) async throws(Problem) -> SignOutResult {
    do {
      let located = try await connector.locate(portal)
      guard let account = try await manager.account(at: located) else {
        throw PortalError.signIn(.notSignedIn(host: located.host))
      }
      let user = user(account)
      let revocation = try await manager.signOut(of: located)
      try await show(located)
      return SignOutResult(user: user, revocation: .init(revocation))
    } catch {
      await showStorageNotice()
      throw Problem(error)
    }
  }

  /// Signs in by `work`, and shows who is signed in then, or who was before.
  ///
  /// One that fails after another has begun, such as one that waits for a browser, shows nothing. One whose portal is not
  /// found takes the place of none.
  private func signIn(
    at portal: String?, _ work: (PortalURL) async throws(PortalError) -> Void
  ) async throws(Problem) {
    let located: PortalURL
    do { located = try await connector.locate(portal) } catch {
      await showStorageNotice()
      throw Problem(error)
    }
    try await signIn(to: located, work)
  }

  private func signIn(
    to portal: PortalURL, _ work: (PortalURL) async throws(PortalError) -> Void
  ) async throws(Problem) {
    let number = beginSignIn()
    state.portal = portal.root
    state.phase = .signingIn(page: nil)
    do {
      do {
        try await work(portal)
      } catch {
        if number == signInNumber { await showWhatWasBefore(portal) }
        throw error
      }
      try await show(portal)
      // One that still waits for its code leaves it in use.
      portalBefore = portal.root
      await whenSignedIn()
    } catch {
      await showStorageNotice()
      throw Problem(error)
    }
  }

  /// Counts a sign-in that is shown from now on, and notes which portal was in use before.
  private func beginSignIn() -> Int {
    signInNumber += 1
    // One that takes the place of another has the same before it.
    if case .signingIn = state.phase { return signInNumber }
    portalBefore = state.user == nil ? nil : state.portal
    return signInNumber
  }

  /// Shows the portal that was in use before a sign-in that came to nothing; without one that of the sign-in.
  private func showWhatWasBefore(_ located: PortalURL) async {
    var inUse = located
    if let before = portalBefore {
      // The portal was located at the sign-in; if that fails now, the typed address will do.
      inUse = (try? await connector.locate(before.absoluteString)) ?? located
    }
    // The failed sign-in has changed nothing, and an error from reading the state again would hide
    // the first one.
    try? await show(inUse)
  }

  /// Shows what people should know of stored credentials, such as that they were set aside.
  private func showStorageNotice() async {
    guard let notice = await manager.takeStorageNotice() else { return }
    state.problem = Problem(PortalError.signIn(.storage(notice)))
  }

  private func show(_ portal: PortalURL) async throws(PortalError) {
    let accounts = try await manager.signedInAccounts()
    await manager.use(portal)
    let users = accounts.map(user)
    let usersOfServers = try await manager.serverAccounts().map(user)
    state.portal = portal.root
    state.users = users + usersOfServers
    state.problem = nil
    await showStorageNotice()
    let index = accounts.firstIndex { $0.portal == portal }
    state.phase =
      index.map { users[$0].needsSignIn ? .needsSignIn(users[$0]) : .signedIn(users[$0]) }
      ?? .signedOut
  }

  /// Continues after a sign-in that is no portal's: the portal in use stays the same.
  func showUsersOfServers() async {
    do {
      let servers = try await manager.serverAccounts().map(user)
      let portals = Set(try await manager.signedInAccounts().map(\.portal.root))
      state.users = state.users.filter { portals.contains($0.portal) } + servers
    } catch {
      // The new account is shown the next time that the store can be read.
      await showStorageNotice()
    }
  }

  func continueAfterSignIn() async { await whenSignedIn() }

  func user(_ account: PortalAccount) -> SignedInUser {
    SignedInUser(
      portal: account.portal.root, username: account.username, fullName: account.fullName,
      organization: account.organization, method: account.credential.map(SignedInUser.Method.init),
      expires: account.credential?.isRenewable == true ? nil : account.expires,
      needsSignIn: account.needsSignIn(at: environment.now()),
      isOffline: !environment.monitor.status.isOnline, isOfServer: account.isServer)
  }
}

extension SignedInUser.Method {
  fileprivate init(_ credential: Credential) {
    self =
      switch credential {
      case .token: .password
      case .oauthUser: .oauth
      case .oauthApplication: .application
      case .pregenerated: .apiKey
      }
  }
}
