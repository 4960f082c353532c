public import Foundation
public import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func post(_ intent: JobIntent, to id: JobID) async throws(JobError) -> JobRequest {
    try await journal { () async throws(LibraryError) in
      // A job that is cancelled gives up what it has fetched.
      try await self.write([], usingReserve: intent == .cancel) { connection in
        try connection.execute(
          "INSERT INTO job_request (job, intent) VALUES (?1, ?2)", .text(id.text),
          .text(intent.rawValue))
        return JobRequest(
          number: Int(connection.lastInsertedRowID), job: id, intent: intent)
      }
    }
  }

  public func requests() async throws(JobError) -> [JobRequest] {
    try await journal { () async throws(LibraryError) in
      try await self.read { connection in try Self.requests(connection) }
    }
  }

  public func answerRequests(of id: JobID, at date: Date) async throws(JobError) -> Job? {
    let isCancelled = try await requests().contains { $0.job == id && $0.intent == .cancel }
    return try await journal { () async throws(LibraryError) in
      try await self.write(.jobs, usingReserve: isCancelled) { connection -> Job? in
        let requests = try Self.requests(of: id, connection)
        guard var job = try Self.job(id, connection) else {
          // What was left for a job that cannot be read is for a version that can.
          if try !Self.isRecorded(id, connection) { try Self.drop(requests, connection) }
          return nil
        }
        guard !requests.isEmpty else { return job }
        for request in requests { job.follow(request.intent, at: date) }
        try Self.write(job, connection)
        try Self.drop(requests, connection)
        return job
      }
    }
  }

  static func requests(_ connection: borrowing Connection) throws -> [JobRequest] {
    try requests(connection.query("SELECT number, job, intent FROM job_request ORDER BY number"))
  }

  /// What was left for a job, oldest first.
  static func requests(
    of id: JobID, _ connection: borrowing Connection
  ) throws -> [JobRequest] {
    try requests(
      connection.query(
        "SELECT number, job, intent FROM job_request WHERE job = ?1 ORDER BY number",
        .text(id.text)))
  }

  /// Removes requests that were answered; those of unknown kinds stay.
  static func drop(
    _ requests: [JobRequest], _ connection: borrowing Connection
  ) throws(DatabaseError) {
    for request in requests {
      try connection.execute(
        "DELETE FROM job_request WHERE number = ?1", .integer(Int64(request.number)))
    }
  }

  /// The jobs that something was left for which cannot be read, as names of records.
  static func unreadableRequests(_ connection: borrowing Connection) throws -> [String] {
    let query = try connection.query("SELECT job, intent FROM job_request ORDER BY number")
    var found: [String] = []
    while try query.step() {
      let (job, intent) = (query.text(at: 0), query.text(at: 1))
      guard JobID(job) == nil || JobIntent(rawValue: intent) == nil else { continue }
      let name = "job_request \(job)"
      if !found.contains(name) { found.append(name) }
    }
    return found
  }

  /// What a query finds in its columns number, job and intent; what a newer Portolan asks for is
  /// left to it.
  private static func requests(_ query: consuming Query) throws -> [JobRequest] {
    var requests: [JobRequest] = []
    while try query.step() {
      guard let id = JobID(query.text(at: 1)), let intent = JobIntent(rawValue: query.text(at: 2))
      else { continue }
      requests.append(JobRequest(number: Int(query.integer(at: 0)), job: id, intent: intent))
    }
    return requests
  }
}
