public import Foundation
public import PortolanJSON
internal import PortolanTransport

/// Everything about the portal that changes.
public actor DemoState {
  /// The time.
  public nonisolated let clock: DemoClock

  /// The seed that makes one portal's ids differ from another's.
  public nonisolated let seed: UInt64

  /// The users who can sign in.
  public internal(set) var users: [DemoUser]

  /// The applications that people may sign in with.
  public internal(set) var applications = DemoApplication.standard

  var identifiers: DemoIdentifiers
  var tokens = IssuedTokens()
  var jobs: [String: DemoJob] = [:]
  var faults = FaultPlan()
  var isNetworkOn = true
  var catalogue = ItemCatalogue()
  var oauth = OAuthBook()

  /// Another address of the portal, such as another name of the host, that files come from.
  ///
  /// With it, the data of an item redirects there, as ArcGIS Online redirects to its storage.
  public private(set) var storage: URL?

  /// The files that the portal has made.
  nonisolated let files: DemoFiles

  /// The number of status requests before an asynchronous job is done.
  public var looksPerJob: Int

  /// Creates the state of a portal that has just started.
  ///
  /// - Parameters:
  ///   - seed: What its ids depend on.
  ///   - clock: The time.
  ///   - users: Who can sign in.
  ///   - looksPerJob: How often an asynchronous job is looked at before it is done.
  ///   - folder: Where the files go that it makes; a new folder for temporary files unless given.
  public init(
    seed: UInt64 = 1, clock: DemoClock = .system, users: [DemoUser] = DemoUser.standard,
    looksPerJob: Int = 1, folder: URL? = nil
  ) {
    let name = "portolan-demo-\(UUID().uuidString)"
    files = DemoFiles(
      folder: folder ?? FileManager.default.temporaryDirectory.appending(path: name))
    self.seed = seed
    self.clock = clock
    self.users = users
    self.looksPerJob = looksPerJob
    identifiers = DemoIdentifiers(seed: seed)
  }

  /// Lets the data of items come from another address, or from the portal itself again.
  public func setStorage(_ address: URL?) { storage = address }

  /// Removes the files that the portal has made.
  public func removeFiles() async { await files.removeAll() }

  /// The next unused id, 32 digits.
  public func nextID() -> String { identifiers.nextID() }

  /// The next UUID.
  public func nextUUID() -> UUID { identifiers.nextUUID() }
}

extension DemoState {
  /// The user of that name and password in `realm`; names match whatever their case.
  public func user(_ name: String, password: String, in realm: DemoRealm) -> DemoUser? {
    users.first {
      $0.realm == realm && $0.username.lowercased() == name.lowercased() && $0.password == password
    }
  }

  /// The user of that name or id.
  public func user(_ name: String, in realm: DemoRealm = .portal) -> DemoUser? {
    users.first {
      $0.realm == realm && ($0.username.lowercased() == name.lowercased() || $0.id == name)
    }
  }

  /// Gives out a token.
  ///
  /// - Parameters:
  ///   - viewer: Whom it stands for.
  ///   - realm: Whose addresses it opens.
  ///   - lifetime: How long it works.
  ///   - referer: The `Referer` it is bound to, if any.
  /// - Returns: The token.
  public func issueToken(
    for viewer: DemoViewer, in realm: DemoRealm, lifetime: Duration, referer: String? = nil
  ) -> DemoToken {
    let now = clock.now()
    tokens.removeAll { $0.expires <= now }
    let token = DemoToken(
      value: identifiers.nextSecret(), realm: realm, viewer: viewer,
      expires: now.addingTimeInterval(TimeInterval(lifetime.components.seconds)), referer: referer)
    tokens.add(token)
    return token
  }

  /// The viewer who sends `request` to an address of `realm`.
  ///
  /// - Throws: ``DemoFailure/invalidToken`` for a token that does not work there.
  public func viewer(
    of request: DemoRequest, in realm: DemoRealm
  ) throws(DemoFailure) -> DemoViewer {
    guard let value = request.token else { return .anonymous }
    let token = tokens.token(
      value, in: realm, referer: request.headers["Referer"], now: clock.now())
    guard let token else { throw .invalidToken }
    return token.viewer
  }

  /// Makes every token that has been given out invalid, as if its time were over.
  public func expireTokens() { tokens.removeAll { _ in true } }
}

extension DemoState {
  /// Accepts a job that will end with `ending` and `results`.
  ///
  /// - Returns: The job, submitted.
  public func submitJob(
    _ kind: String, results: JSONObject = [:], ending: DemoJob.Phase = .done
  ) -> DemoJob {
    let job = DemoJob(
      id: "j" + identifiers.nextID(), kind: kind, submitted: clock.now(), results: results,
      ending: ending, remainingLooks: looksPerJob, phase: .submitted)
    jobs[job.id] = job
    return job
  }

  /// Polls a job, which advances it.
  public func job(_ id: String) -> DemoJob? {
    guard var job = jobs[id] else { return nil }
    if job.phase == .submitted || job.phase == .running {
      job.phase = job.remainingLooks > 0 ? .running : job.ending
      job.remainingLooks -= 1
      jobs[id] = job
    }
    return job
  }

  /// A job that has ended well, without looking at it.
  public func finishedJob(_ id: String) -> DemoJob? {
    jobs[id].flatMap { $0.phase == .done ? $0 : nil }
  }

  /// Cancels a job that has not ended.
  public func cancelJob(_ id: String) -> DemoJob? {
    guard var job = jobs[id] else { return nil }
    if job.phase == .submitted || job.phase == .running { job.phase = .cancelled }
    jobs[id] = job
    return job
  }
}
