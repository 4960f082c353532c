internal import Foundation
public import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func record(_ job: Job) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs) { connection in
        try connection.execute(
          "INSERT OR REPLACE INTO job (id, position, record) VALUES (?1, ?2, ?3)",
          .text(job.id.text), .integer(Int64(job.position)), .blob(StorageRecord.data(job)))
      }
    }
  }

  public func forget(_ id: JobID) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs) { connection in
        try connection.execute("DELETE FROM job WHERE id = ?1", .text(id.text))
        try connection.execute("DELETE FROM job_message WHERE job = ?1", .text(id.text))
      }
    }
  }

  public func jobs() async throws(JobError) -> [Job] {
    try await journal { () async throws(LibraryError) in
      try await self.records(of: Job.self, "SELECT record FROM job ORDER BY position, id")
    }
  }

  public func append(_ message: JobMessage, to id: JobID) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        try connection.execute(
          "INSERT INTO job_message (job, record) VALUES (?1, ?2)", .text(id.text),
          .blob(StorageRecord.data(message)))
      }
    }
  }

  public func messages(of id: JobID) async throws(JobError) -> [JobMessage] {
    try await journal { () async throws(LibraryError) in
      try await self.records(
        of: JobMessage.self, "SELECT record FROM job_message WHERE job = ?1 ORDER BY rowid",
        .text(id.text))
    }
  }

  /// Does work on the catalogue, whose failures are those of a journal here.
  private func journal<T>(_ work: () async throws(LibraryError) -> T) async throws(JobError) -> T {
    do { return try await work() } catch {
      throw .journal(
        file: url.path(percentEncoded: false), reason: error.errorDescription ?? "\(error)")
    }
  }
}
