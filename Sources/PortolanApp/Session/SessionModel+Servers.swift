internal import Foundation
public import PortolanPortal
internal import PortolanTransport

/// Signing in to servers that keep users of their own.
extension SessionModel {
  /// Signs in to a server as one of its own users; what waits for that continues.
  ///
  /// The portal in use stays the same.
  ///
  /// - Parameters:
  ///   - address: The address of a service on the server, or of its root, as it was typed; of a host alone the
  ///     server is also looked for where servers usually are.
  ///   - username: The name that the server knows.
  ///   - password: The password, which is not kept.
  /// - Returns: The user.
  /// - Throws: A problem that says what the server has against it.
  @discardableResult public func signIn(
    toServer address: String, username: String, password: Secret
  ) async throws(Problem) -> SignedInUser {
    let server = try Self.server(typed: address)
    let account: PortalAccount
    do {
      let found = try await signIn(nearest: server, typed: address)
      account = try await manager.signIn(by: found, username: username, password: password)
    } catch {
      throw Problem(ofServer: error)
    }
    await showUsersOfServers()
    await continueAfterSignIn()
    return user(account)
  }

  /// Removes the credentials of a server's own user.
  ///
  /// - Parameter address: The address of a service on the server, or of its root, as it was typed.
  /// - Returns: The user.
  /// - Throws: A problem if nobody is signed in there, or the credentials cannot be removed.
  @discardableResult public func signOut(
    ofServer address: String
  ) async throws(Problem) -> SignedInUser {
    let url = try Self.server(typed: address)
    let account: PortalAccount
    do {
      account = try await manager.signOut(ofServerOf: url)
    } catch {
      throw Problem(error)
    }
    await showUsersOfServers()
    return user(account)
  }

  /// Finds a server; one of which no more than the host is known, as jobs tell it, may be below that.
  ///
  /// No password is sent meanwhile, so that what the server which is found has against it is the end.
  private func signIn(
    nearest server: URL, typed address: String
  ) async throws(PortalError) -> ServerSignIn {
    let isHostAlone = server.path().count <= 1
    let others = isHostAlone ? Self.usualPaths.map { server.appending(path: $0) } : []
    var refusal: PortalError?
    for place in [server] + others {
      do throws(PortalError) {
        return try await signIn(
          at: place, orUnencryptedAt: Self.unencrypted(place, typed: address))
      } catch {
        guard error.isOfNoServer else { throw error }
        refusal = refusal ?? error
      }
    }
    throw refusal ?? .cancelled
  }

  /// The usual paths of servers on their hosts, unless their administrators choose another.
  private static let usualPaths = ["arcgis", "server"]

  /// Finds a server, at its other address where it does not encrypt.
  private func signIn(
    at server: URL, orUnencryptedAt plain: URL?
  ) async throws(PortalError) -> ServerSignIn {
    do throws(PortalError) {
      return try await manager.signIn(ofServerOf: server)
    } catch {
      guard let plain else { throw error }
      switch error {
      case .transport(.malformed), .transport(.unreachable): break
      default: throw error
      }
      return try await manager.signIn(ofServerOf: plain)
    }
  }

  /// The address of a server on this machine without encryption, unless a scheme was typed; portals are
  /// looked for in the same way.
  private static func unencrypted(_ server: URL, typed address: String) -> URL? {
    guard !address.contains("://"), server.isOnThisMachine else { return nil }
    var parts = URLComponents(url: server, resolvingAgainstBaseURL: true)
    parts?.scheme = "http"
    return parts?.url
  }

  private static func server(typed address: String) throws(Problem) -> URL {
    let text = address.trimmingCharacters(in: .whitespaces)
    guard let url = URL(string: text.contains("://") ? text : "https://" + text),
      url.host()?.isEmpty == false,
      // Browsers, which show the host, end it there.
      !text.contains("\\")
    else {
      throw Problem(
        .noServer, message: "\"\(text)\" is not the address of a server.",
        suggestion: "Give the address of one of its services.")
    }
    return url
  }
}

extension PortalError {
  /// Whether nothing of the kind of a server is at an address.
  fileprivate var isOfNoServer: Bool {
    switch self {
    case .notFound, .notJSON, .unexpected: true
    default: false
    }
  }
}

extension Problem {
  /// Creates the problem of a refused sign-in at a server with users of its own, which has no
  /// sign-in page as portals do.
  init(ofServer error: PortalError) {
    self.init(error)
    guard case .signIn(.refused) = error else { return }
    actions.removeAll { $0.kind == .signInWithBrowser }
    suggestion = "Check the user name and the password."
  }
}
