internal import Foundation
public import PortolanPortal

/// Signing in to servers that keep users of their own.
extension SessionModel {
  /// Signs in to a server as one of its own users; what waits for that continues.
  ///
  /// The portal in use stays the same.
  ///
  /// - Parameters:
  ///   - address: The address of a service on the server, or of its root, as it was typed.
  ///   - username: The name that the server knows.
  ///   - password: The password, which is not kept.
  /// - Returns: The user.
  /// - Throws: A problem that says what the server has against it.
  @discardableResult public func signIn(
    toServer address: String, username: String, password: Secret
  ) async throws(Problem) -> SignedInUser {
    let url = try Self.server(typed: address)
    let account: PortalAccount
    do {
      account = try await manager.signIn(
        toServerOf: url, username: username, password: password)
    } catch {
      throw Problem(error)
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

  private static func server(typed address: String) throws(Problem) -> URL {
    let text = address.trimmingCharacters(in: .whitespaces)
    guard let url = URL(string: text.contains("://") ? text : "https://" + text),
      url.host()?.isEmpty == false
    else {
      throw Problem(
        .noServer, message: "\"\(text)\" is not the address of a server.",
        suggestion: "Give the address of one of its services.")
    }
    return url
  }
}
