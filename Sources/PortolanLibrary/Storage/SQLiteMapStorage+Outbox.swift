internal import Foundation
public import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func post(_ message: OutboxMessage) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        try connection.execute(
          "INSERT OR IGNORE INTO outbox (id, record) VALUES (?1, ?2)", .text(message.id.text),
          .blob(StorageRecord.data(message)))
      }
    }
  }

  public func outgoingMessages() async throws(JobError) -> [OutboxMessage] {
    try await journal { () async throws(LibraryError) in
      try await self.records(of: OutboxMessage.self, "SELECT record FROM outbox ORDER BY number")
    }
  }

  public func update(_ message: OutboxMessage) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        try connection.execute(
          "UPDATE outbox SET record = ?2 WHERE id = ?1", .text(message.id.text),
          .blob(StorageRecord.data(message)))
      }
    }
  }

  public func remove(_ id: OutboxMessage.ID) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        try connection.execute("DELETE FROM outbox WHERE id = ?1", .text(id.text))
      }
    }
  }
}
