internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary

/// The checkpoint of a job that takes a map offline: the server jobs in progress, and whether the
/// map was stored.
struct OnDemandCheckpoint: Codable, Sendable {
  /// A job of a server, from before it is requested.
  struct ServerJob: Codable, Hashable, Sendable {
    /// The URL at which it is requested.
    let address: OnDemandPart.Address
    /// The identity of the home that requests it; `nil` in records of an older Portolan.
    var home: String?
    /// The name that a replica is requested under; by it, it is found again.
    var replicaName: String?
    /// The id of a replica that the server made at once.
    var replicaID: String?
    /// The URL of its status; `nil` until the server has answered.
    var statusURL: URL?
    /// The id of an export.
    var jobID: String?
    /// The URL of its file.
    var resultURL: URL?

    /// Whether the server is known to have taken it on.
    var isSubmitted: Bool { statusURL != nil || jobID != nil || resultURL != nil }
  }

  /// What a run has requested, to be distinguished from what the map wants of the same service in a
  /// later one.
  struct Question: Codable, Hashable, Sendable {
    /// The path of the file in the folder of the map.
    let path: String
    /// Stands for all that was asked.
    let digest: String

    init(_ part: OnDemandPart) throws {
      path = part.path
      digest = try part.work.digest()
    }
  }

  /// The jobs by the ids of their parts.
  var serverJobs: [String: ServerJob] = [:]
  /// What was requested, by part; nothing of files that come from a stored version.
  var questions: [String: Question]?
  /// How often something was requested, so that no two replicas have one name.
  var submissions = 0
  /// How many features of layers have no shapes, since those that came cannot be read; by part.
  var unreadableShapes: [String: [String: Int]]?
  /// The number of the version that was the current one before, once the map is about to be stored.
  var version: Int?
  /// How the job ends then.
  var failedItems: [JobFailedItem] = []

  init() {}

  /// Reads the checkpoint of a job; an empty one if it has none.
  init(of job: Job) {
    guard let data = job.checkpoint,
      // One that cannot be read says nothing: replicas are found by their names.
      let checkpoint = try? JSONDecoder().decode(Self.self, from: data)
    else { return }
    self = checkpoint
  }

  /// Whether a job has stored its map: its folder has become a later version.
  func isStored(_ map: MapID, by job: Job, in library: MapLibrary) async throws -> Bool {
    guard let version else { return false }
    return try await AreaCheckpoint(version: version, failedItems: failedItems)
      .isStored(map, by: job, in: library)
  }

  /// Whether a job has stored its map as a version that can be restored, since the one before was.
  func isTakenBack(_ map: MapID, by job: Job, in library: MapLibrary) async throws -> Bool {
    guard let version else { return false }
    return try await AreaCheckpoint(version: version, failedItems: failedItems)
      .isTakenBack(map, by: job, in: library)
  }
}

/// Keeps the checkpoint of a running job; each change is written before it counts.
actor OnDemandBook {
  private(set) var checkpoint: OnDemandCheckpoint
  private let reporter: JobReporter
  /// The changes that wait for the one that is being written; `nil` while none is.
  private var writers: [CheckedContinuation<Void, Never>]?

  init(_ job: Job, _ reporter: JobReporter) {
    checkpoint = OnDemandCheckpoint(of: job)
    self.reporter = reporter
  }

  func serverJob(of part: String) -> OnDemandCheckpoint.ServerJob? { checkpoint.serverJobs[part] }

  func set(_ serverJob: OnDemandCheckpoint.ServerJob?, for part: String) async throws {
    try await write { $0.serverJobs[part] = serverJob }
  }

  func question(of part: String) -> OnDemandCheckpoint.Question? { checkpoint.questions?[part] }

  /// Notes what is requested, before it is.
  func note(_ question: OnDemandCheckpoint.Question?, for part: String) async throws {
    guard checkpoint.questions?[part] != question else { return }
    try await write {
      var questions = $0.questions ?? [:]
      questions[part] = question
      $0.questions = questions
    }
  }

  /// A number that no submission had before.
  func nextSubmission() async throws -> Int {
    try await write { $0.submissions += 1 }.submissions
  }

  /// Notes how many features of a part's layers have come without shapes.
  func setUnreadable(_ shapes: [String: Int], for part: String) async throws {
    guard checkpoint.unreadableShapes?[part] ?? [:] != shapes else { return }
    try await write {
      $0.unreadableShapes = ($0.unreadableShapes ?? [:]).merging([part: shapes]) { $1 }
    }
  }

  /// Forgets what services have made for a version that was stored: it needs that.
  func startAnew() async throws {
    try await write {
      var checkpoint = OnDemandCheckpoint()
      checkpoint.submissions = $0.submissions
      $0 = checkpoint
    }
  }

  /// The map is about to be stored.
  func willStore(after version: Int, _ failedItems: [JobFailedItem]) async throws {
    try await write {
      $0.version = version
      $0.failedItems = failedItems
    }
  }

  /// Changes the checkpoint, and returns it as it is then.
  ///
  /// Changes are written one after the other: one that began while another was being written would be made
  /// to what was there before that, and undo it.
  @discardableResult private func write(
    _ change: (inout OnDemandCheckpoint) -> Void
  ) async throws -> OnDemandCheckpoint {
    await waitToWrite()
    defer { endWriting() }
    var changed = checkpoint
    change(&changed)
    try await reporter.checkpoint(try JSONEncoder().encode(changed))
    checkpoint = changed
    return changed
  }

  private func waitToWrite() async {
    guard writers != nil else {
      writers = []
      return
    }
    await withCheckedContinuation { writers?.append($0) }
  }

  private func endWriting() {
    guard writers?.isEmpty == false else {
      writers = nil
      return
    }
    writers?.removeFirst().resume()
  }
}
