/// The outcome of updating one map.
public struct MapUpdateResult: Hashable, Sendable, Codable, Identifiable {
  /// The outcome.
  public enum Outcome: String, Hashable, Sendable, Codable {
    /// The newer version is on this device.
    case updated
    /// The newer version is being downloaded.
    case started
    /// The portal has nothing newer.
    case current
    /// Nothing was downloaded: what is newer are scheduled updates, which `update` does not receive.
    case scheduled
    /// No portal can have a newer version.
    case untracked = "none"
    /// The portal no longer has the area; what is on this device stays.
    case withdrawn
    /// The newer version, or whether there is one, could not be loaded; the map is as it was.
    case failed
  }

  /// The id of the map.
  public let id: String
  /// Its title.
  public let title: String
  /// The outcome.
  public let outcome: Outcome
  /// Why, a sentence; `nil` if the outcome, or the job that has failed, says all.
  public let message: String?

  /// Creates the result of a map whose portal has a newer version.
  public init(_ update: MapUpdate, _ outcome: Outcome) {
    self.init(update, outcome, message: nil)
  }

  /// Creates the result of a map whose newer version could not be loaded.
  public init(_ update: MapUpdate, failed problem: Problem) {
    let name = "\"\(update.title)\""
    // Most problems of a download name the map themselves.
    let start = problem.message.contains(name) ? "Not updated" : "\(name) was not updated"
    self.init(update, .failed, message: "\(start): \(problem.message)")
  }

  /// Creates the result of a map that is not updated; `nil` if its portal has a newer version.
  public init?(unchanged update: MapUpdate) {
    switch update.freshness {
    case .available: return nil
    case .unknown(let problem): self.init(update, failed: problem)
    case .current where update.leavesOutScheduled:
      self.init(
        update, .scheduled,
        message:
          "Nothing was downloaded: \"\(update.title)\" was downloaded without updates, and has a "
          + "scheduled update on its portal.")
    case .current where update.scheduled != nil:
      self.init(
        update, .scheduled,
        message:
          "Nothing was downloaded: \"\(update.title)\" has a scheduled update, which comes with its "
          + "next synchronization.")
    case .current:
      self.init(update, .current, message: "\"\(update.title)\" is up to date.")
    case .untracked where update.comesWithSync == true:
      self.init(
        update, .untracked,
        message:
          "\"\(update.title)\" has no newer version to download: what changed at its services "
          + "comes with its next synchronization.")
    case .untracked:
      self.init(
        update, .untracked,
        message: "\"\(update.title)\" has no portal that could have a newer version.")
    case .withdrawn:
      self.init(
        update, .withdrawn,
        message: "The portal no longer has \"\(update.title)\"; it stays on this device.")
    }
  }

  private init(_ update: MapUpdate, _ outcome: Outcome, message: String?) {
    (id, title) = (update.id, update.title)
    self.outcome = outcome
    self.message = message
  }
}
