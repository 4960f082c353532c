/// A journal that lasts as long as the process.
public actor InMemoryJobJournal: JobJournal {
  private var jobsByID: [JobID: Job] = [:]
  private var log: [JobID: [JobMessage]] = [:]

  /// Creates an empty journal.
  public init() {}

  public func record(_ job: Job) { jobsByID[job.id] = job }

  public func forget(_ id: JobID) {
    jobsByID[id] = nil
    log[id] = nil
  }

  public func jobs() -> [Job] {
    jobsByID.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  public func append(_ message: JobMessage, to id: JobID) { log[id, default: []].append(message) }

  public func messages(of id: JobID) -> [JobMessage] { log[id] ?? [] }
}
