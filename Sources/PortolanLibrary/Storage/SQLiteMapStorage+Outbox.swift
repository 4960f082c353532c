internal import Foundation
public import PortolanJobs
internal import PortolanSQLite

extension SQLiteMapStorage {
  public func post(_ message: OutboxMessage) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        if let known = try Self.message(message.id, connection) {
          try Self.write(known.adding(message), connection)
        } else {
          // One that a newer Portolan wrote stays as it is.
          try connection.execute(
            "INSERT OR IGNORE INTO outbox (id, record) VALUES (?1, ?2)", .text(message.id.text),
            .blob(StorageRecord.data(message)))
        }
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
        guard let known = try Self.message(message.id, connection) else { return }
        try Self.write(known.noting(message), connection)
      }
    }
  }

  public func remove(delivered message: OutboxMessage) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        guard try Self.message(message.id, connection)?.fields == message.fields else { return }
        try Self.remove(message.id, connection)
      }
    }
  }

  public func remove(_ id: OutboxMessage.ID) async throws(JobError) {
    try await journal { () async throws(LibraryError) in
      try await self.write([]) { connection in
        try Self.remove(id, connection)
      }
    }
  }

  // MARK: - Rows

  private static func message(
    _ id: OutboxMessage.ID, _ connection: borrowing Connection
  ) throws -> OutboxMessage? {
    let query = try connection.query("SELECT record FROM outbox WHERE id = ?1", .text(id.text))
    return try query.step()
      ? StorageRecord.value(OutboxMessage.self, from: query.blob(at: 0)) : nil
  }

  private static func write(
    _ message: OutboxMessage, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "UPDATE outbox SET record = ?2 WHERE id = ?1", .text(message.id.text),
      .blob(StorageRecord.data(message)))
  }

  private static func remove(
    _ id: OutboxMessage.ID, _ connection: borrowing Connection
  ) throws {
    try connection.execute("DELETE FROM outbox WHERE id = ?1", .text(id.text))
  }
}
