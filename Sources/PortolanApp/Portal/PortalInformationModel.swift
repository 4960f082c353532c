public import Foundation
public import Observation
internal import PortolanPortal

/// The screen that says what a portal is.
@MainActor
@Observable
public final class PortalInformationModel {
  /// The properties of a portal.
  public struct Information: Hashable, Sendable, Codable {
    /// The address of the portal.
    public var url: URL
    /// The portal's own name.
    public var name: String?
    /// The organization that it belongs to.
    public var organization: String?
    /// Whether it is ArcGIS Enterprise; otherwise it is ArcGIS Online.
    public var isEnterprise: Bool
    /// The version of its REST interface.
    public var version: String?
    /// The user who is signed in.
    public var username: String?
    /// Whether people can sign in with the browser.
    public var supportsOAuth: Bool

    /// The product, for people.
    public var product: String { isEnterprise ? "ArcGIS Enterprise" : "ArcGIS Online" }
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    /// Nothing was asked yet.
    case empty
    /// The portal is being asked.
    case loading
    /// The properties that the portal has returned.
    case loaded(Information)
    /// The information could not be loaded.
    case failed(Problem)
  }

  /// The current state; observe this.
  public private(set) var state = State.empty

  @ObservationIgnored private let portals: any PortalConnecting
  /// Counts questions, so that the answer to an older one changes nothing.
  @ObservationIgnored private var questionNumber = 0

  /// Creates the screen; sends no request before ``load(_:)``.
  public init(portals: any PortalConnecting) { self.portals = portals }

  /// Asks a portal what it is.
  ///
  /// - Parameter url: The portal; the one in use if `nil`.
  /// - Returns: What it said, which the state holds as well.
  /// - Throws: A problem if it cannot be asked.
  @discardableResult
  public func load(_ url: URL? = nil) async throws(Problem) -> Information {
    questionNumber += 1
    let number = questionNumber
    state = .loading
    do {
      let portal = try await portals.portal(at: url)
      let information = Information(try await portal.info(), at: portal.url)
      if number == questionNumber { state = .loaded(information) }
      return information
    } catch {
      let problem = Problem(error)
      if number == questionNumber { state = .failed(problem) }
      throw problem
    }
  }
}

extension PortalInformationModel.Information {
  fileprivate init(_ info: PortalInfo, at url: URL) {
    self.url = url
    name = info.portalName
    organization = info.name
    isEnterprise = info.isPortal
    version = info.currentVersion
    username = info.user?.username
    supportsOAuth = info.supportsOAuth
  }
}
