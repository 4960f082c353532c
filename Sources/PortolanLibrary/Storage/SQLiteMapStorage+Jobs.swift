internal import Foundation
public import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func add(_ job: Job) async throws(JobError) -> Job {
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs) { connection in
        let jobs = try Self.jobs(connection)
        let requests = try Self.requests(connection)
        if let same = jobs.first(where: { $0.covers(job, despite: requests) }) { return same }
        var job = job
        job.position = (jobs.map(\.position).max() ?? 0) + 1
        try Self.write(job, connection)
        return job
      }
    }
  }

  public func record(_ job: Job, answering number: Int) async throws(JobError) {
    // What a job gives up that is cancelled makes space, be the disk full.
    let makesSpace = [.cancelling, .cancelled].contains(job.state)
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs, usingReserve: makesSpace) { connection in
        try Self.write(job, connection)
        guard number > 0 else { return }
        let answered = try Self.requests(of: job.id, connection).filter { $0.number <= number }
        try Self.drop(answered, connection)
      }
    }
  }

  public func forget(_ id: JobID) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs) { connection in
        try connection.execute("DELETE FROM job WHERE id = ?1", .text(id.text))
        for table in ["job_message", "job_request"] {
          try connection.execute("DELETE FROM \(table) WHERE job = ?1", .text(id.text))
        }
      }
    }
  }

  public func jobs() async throws(JobError) -> [Job] {
    try await journal { () async throws(LibraryError) in try await self.read(Self.jobs) }
  }

  public func job(_ id: JobID) async throws(JobError) -> Job? {
    try await journal { () async throws(LibraryError) in
      try await self.read { try Self.job(id, $0) }
    }
  }

  public func setOrder(_ ids: [JobID]) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write(.jobs) { connection in
        for (place, id) in ids.enumerated() {
          try connection.execute(
            "UPDATE job SET position = ?2 WHERE id = ?1", .text(id.text), .integer(Int64(place)))
        }
      }
    }
  }

  /// How many messages of a job are kept: one that waits for a network for weeks looks for it every few
  /// minutes, and says so each time.
  static let mostMessages = 2_000

  public func append(_ message: JobMessage, to id: JobID) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        try connection.execute(
          "INSERT INTO job_message (job, record) VALUES (?1, ?2)", .text(id.text),
          .blob(StorageRecord.data(message)))
        try connection.execute(
          """
          DELETE FROM job_message WHERE job = ?1 AND rowid <= (SELECT rowid FROM job_message
            WHERE job = ?1 ORDER BY rowid DESC LIMIT 1 OFFSET ?2)
          """, .text(id.text), .integer(Int64(Self.mostMessages)))
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

  public func revision() async throws(JobError) -> Int {
    try await journal { () async throws(LibraryError) in try await self.version() }
  }

  // MARK: - Rows

  /// Writes a job; one that is there keeps its place in the queue.
  static func write(_ job: Job, _ connection: borrowing Connection) throws {
    try connection.execute(
      """
      INSERT INTO job (id, position, record) VALUES (?1, ?2, ?3)
        ON CONFLICT (id) DO UPDATE SET record = excluded.record
      """, .text(job.id.text), .integer(Int64(job.position)), .blob(StorageRecord.data(job)))
  }

  static func job(_ id: JobID, _ connection: borrowing Connection) throws -> Job? {
    let query = try connection.query(
      "SELECT position, record FROM job WHERE id = ?1", .text(id.text))
    return try query.step() ? job(in: query) : nil
  }

  /// Whether there is a job of that id, be it one that cannot be read.
  static func isRecorded(
    _ id: JobID, _ connection: borrowing Connection
  ) throws(DatabaseError) -> Bool {
    let query = try connection.query("SELECT 1 FROM job WHERE id = ?1", .text(id.text))
    return try query.step()
  }

  private static func jobs(_ connection: borrowing Connection) throws -> [Job] {
    let query = try connection.query("SELECT position, record FROM job ORDER BY position, id")
    var jobs: [Job] = []
    while try query.step() { if let job = job(in: query) { jobs.append(job) } }
    return jobs
  }

  private static func job(in row: borrowing Query) -> Job? {
    var job = StorageRecord.value(Job.self, from: row.blob(at: 1))
    job?.position = Int(row.integer(at: 0))
    return job
  }

  /// Does work on the catalogue, whose failures are those of a journal here.
  func journal<T>(_ work: () async throws(LibraryError) -> T) async throws(JobError) -> T {
    do { return try await work() } catch {
      if case .busyCatalogue(let file, let holder) = error {
        throw .busyJournal(file: file, by: holder)
      }
      throw .journal(file: url.path(percentEncoded: false), reason: error.clause)
    }
  }
}
