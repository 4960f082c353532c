public import Foundation

/// A journal that lasts as long as the process.
public actor InMemoryJobJournal: JobJournal {
  private var jobsByID: [JobID: Job] = [:]
  private var log: [JobID: [JobMessage]] = [:]
  private var posted: [JobRequest] = []
  private var lastNumber = 0

  /// Creates an empty journal.
  public init() {}

  public func add(_ job: Job) -> Job {
    if let same = jobsByID.values.first(where: { $0.covers(job, despite: posted) }) { return same }
    var job = job
    job.position = (jobsByID.values.map(\.position).max() ?? 0) + 1
    jobsByID[job.id] = job
    return job
  }

  public func record(_ job: Job, answering number: Int) {
    var job = job
    if let old = jobsByID[job.id] { job.position = old.position }
    jobsByID[job.id] = job
    posted.removeAll { $0.job == job.id && $0.number <= number }
  }

  public func forget(_ id: JobID) {
    jobsByID[id] = nil
    log[id] = nil
    posted.removeAll { $0.job == id }
  }

  public func jobs() -> [Job] {
    jobsByID.values.sorted { ($0.position, $0.id) < ($1.position, $1.id) }
  }

  public func job(_ id: JobID) -> Job? { jobsByID[id] }

  public func setOrder(_ ids: [JobID]) {
    for (place, id) in ids.enumerated() { jobsByID[id]?.position = place }
  }

  public func post(_ intent: JobIntent, to id: JobID) -> JobRequest {
    lastNumber += 1
    let request = JobRequest(number: lastNumber, job: id, intent: intent)
    posted.append(request)
    return request
  }

  public func requests() -> [JobRequest] { posted }

  public func answerRequests(of id: JobID, at date: Date) -> Job? {
    for request in posted where request.job == id { jobsByID[id]?.follow(request.intent, at: date) }
    posted.removeAll { $0.job == id }
    return jobsByID[id]
  }

  /// Always the same, for no other process can write.
  public func revision() -> Int { 0 }

  public func append(_ message: JobMessage, to id: JobID) { log[id, default: []].append(message) }

  public func messages(of id: JobID) -> [JobMessage] { log[id] ?? [] }
}
