public import Foundation
public import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func post(_ intent: JobIntent, to id: JobID) async throws(JobError) -> JobRequest {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
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
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs) { connection in
        let requests = try Self.requests(
          connection.query(
            "SELECT number, job, intent FROM job_request WHERE job = ?1 ORDER BY number",
            .text(id.text)))
        var job = try Self.job(id, connection)
        for request in requests { job?.follow(request.intent, at: date) }
        if let job, !requests.isEmpty { try Self.write(job, connection) }
        try connection.execute("DELETE FROM job_request WHERE job = ?1", .text(id.text))
        return job
      }
    }
  }

  static func requests(_ connection: borrowing Connection) throws -> [JobRequest] {
    try requests(connection.query("SELECT number, job, intent FROM job_request ORDER BY number"))
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
