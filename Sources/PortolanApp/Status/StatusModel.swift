public import Observation
public import PortolanJobs

/// The status screen: the network, who is signed in, the maps, the downloads, the space.
///
/// No portal is asked for it, unless one was typed of which nothing is known yet; without a network
/// nobody is signed in there.
@MainActor
@Observable
public final class StatusModel {
  /// The state of the screen.
  public struct State: Hashable, Sendable, Codable {
    /// Whether there is a network; `nil` before the first look, and in an app that has none at all.
    public var isOnline: Bool?
    /// The user who is signed in at the portal in use, or has to sign in again.
    public var user: SignedInUser?
    /// The reason why it is not known who is signed in; `nil` if it is.
    public var accountProblem: Problem?
    /// The number of maps on this device.
    public var mapCount = 0
    /// The jobs, those that are over included.
    public var jobs: [Job] = []
    /// The paces of the running jobs, as far as this process has seen them.
    public var paces: [JobID: JobListModel.Pace] = [:]
    /// The space used; `nil` in a home where nothing was stored yet.
    public var usage: StorageUsage?
    /// The title of the open map; `nil` if none is open.
    public var openTitle: String?

    /// Creates a state of which nothing is known.
    public init() {}

    /// The jobs that are not over.
    public var openJobs: [Job] { jobs.filter { !$0.state.isFinal } }

    /// The jobs that have stopped, and that the user can resume or settle.
    public var unsettledJobs: [Job] {
      jobs.filter { $0.state.isFinal && ($0.state.canSettleFailures || $0.state.canResume) }
    }

    /// Whether nothing was ever downloaded to this device.
    public var isEmpty: Bool { mapCount == 0 && jobs.isEmpty }
  }

  /// The current state; observe this.
  public private(set) var state = State()

  @ObservationIgnored private let app: AppModel
  @ObservationIgnored private let account: AccountScreens?
  /// Counts the looks, so that the end of an older one changes nothing.
  @ObservationIgnored private var lookNumber = 0

  /// Creates the screen; nothing is looked at before ``refresh()``.
  ///
  /// - Parameters:
  ///   - app: What is open, and what is on this device.
  ///   - account: Who uses it, and the network; `nil` in an app that has none.
  public init(app: AppModel, account: AccountScreens?) {
    self.app = app
    self.account = account
  }

  /// Looks how things are now.
  ///
  /// Credentials that cannot be read are a part of the state.
  ///
  /// - Throws: A problem if the catalogue cannot be read; the state stays as it was.
  public func refresh() async throws(Problem) {
    lookNumber += 1
    let number = lookNumber
    var latest = State()
    if let account {
      do throws(Problem) { try await account.session.restore() } catch {
        // The content of this device is shown all the same, but not to somebody who has cancelled.
        guard error.kind != .cancellation else { throw error }
        if error.kind != .network { latest.accountProblem = error }
      }
      account.network.refresh()
      latest.isOnline = account.network.isOnline
      latest.user = latest.accountProblem == nil ? account.session.state.user : nil
    }
    if let library = app.library, library.exists {
      let (maps, jobs, storage) = (
        try await library.maps(), try await library.jobs(), try await library.storage()
      )
      try await maps.load()
      await jobs.load()
      try await storage.measure()
      latest.mapCount = maps.state.items.count(where: \.canOpenOffline)
      (latest.jobs, latest.paces) = (jobs.state.jobs, jobs.state.paces)
      latest.usage = storage.usage
    }
    latest.openTitle = app.map?.state.title
    if number == lookNumber { state = latest }
  }
}
