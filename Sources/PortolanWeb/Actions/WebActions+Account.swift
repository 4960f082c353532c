internal import Foundation
internal import PortolanApp
internal import PortolanJSON

// The user of the app, and the network.
extension WebActions {
  func session(_ name: String, _ body: ActionParameters) async throws(Problem) -> JSONValue {
    let portal = body.object["portal"]?.string
    switch name {
    case "sign-in":
      try await account.session.signIn(
        at: portal, username: body.text("username"),
        password: SignInSecret(typed: try body.text("password")))
    case "sign-in-browser":
      // The page learns where to go from the state of the session; this answers how it ended.
      try await account.session.signInWithBrowser(at: portal) { _ in }
    case "cancel-sign-in": account.session.cancelSigningIn()
    case "sign-out": try await account.session.signOut(of: portal)
    case "sign-in-server":
      try await signIn(
        toServer: body.text("server"), username: body.text("username"),
        password: SignInSecret(typed: try body.text("password")))
    case "cancel-sign-in-server":
      let server = try body.text("server")
      serverSignIns[server]?.cancel()
    case "sign-out-server":
      try await account.session.signOut(ofServer: body.text("server"))
    default: throw Self.unknown("session/\(name)")
    }
    return [:]
  }

  /// Signs in to a server, unless the page gives that up meanwhile: its request does not end by that.
  private func signIn(
    toServer server: String, username: String, password: SignInSecret
  ) async throws(Problem) {
    let session = account.session
    let task = Task { () -> Result<SignedInUser, Problem> in
      do throws(Problem) {
        return .success(
          try await session.signIn(toServer: server, username: username, password: password))
      } catch {
        return .failure(error)
      }
    }
    serverSignIns[server] = task
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if serverSignIns[server] == task { serverSignIns[server] = nil }
    _ = try result.get()
  }

  func network(_ name: String) async throws(Problem) -> JSONValue {
    switch name {
    case "refresh": account.network.refresh()
    case "cut":
      guard let demo else { throw Self.unknown("network/cut") }
      await demo.cutNetwork()
      account.network.refresh()
    case "restore":
      guard let demo else { throw Self.unknown("network/restore") }
      do { try await demo.restoreNetwork() } catch { throw Problem(error) }
      account.network.refresh()
    default: throw Self.unknown("network/\(name)")
    }
    return [:]
  }
}
