import Foundation
import PortolanJobs
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanLibrary

/// The records of one job, which say nothing of others.
@Suite(.temporaryDirectory) struct ManyJobsTests {
  private static let day = Date(timeIntervalSince1970: 1_795_000_000)

  private func journals() async throws -> [any JobJournal & Outbox] {
    let file = temporaryDirectory.appending(path: "library.sqlite")
    return [InMemoryMapStorage(), try await SQLiteMapStorage.open(at: file)]
  }

  private func job(_ name: String) throws -> Job {
    Job(
      id: try #require(JobID(name)), kind: "k", subject: name, title: name, parameters: Data(),
      created: Self.day, position: 0)
  }

  @Test func `Answering what was left for one job leaves what was left for others`() async throws {
    for journal in try await journals() {
      let (first, second) = (try await journal.add(job("a")), try await journal.add(job("b")))
      let left = try await journal.post(.pause, to: second.id)
      let asked = try await journal.post(.pause, to: first.id)
      _ = try await journal.answerRequests(of: first.id, at: Self.day)
      #expect(try await journal.requests() == [left])
      #expect(try await journal.job(second.id)?.intent == .run)
      let last = try await journal.post(.run, to: first.id)
      #expect(last.number > asked.number)
      try await journal.record(first, answering: last.number)
      #expect(try await journal.requests() == [left])
      try await journal.forget(first.id)
      #expect(try await journal.requests() == [left])
      #expect(try await journal.jobs().map(\.id) == [second.id])
      #expect(try await journal.answerRequests(of: second.id, at: Self.day)?.state == .paused)
    }
  }

  @Test func `The log of one job is not that of another`() async throws {
    for journal in try await journals() {
      let (first, second) = (try await journal.add(job("a")), try await journal.add(job("b")))
      let said = JobMessage(time: Self.day, text: "Begun.")
      for id in [first.id, second.id] { try await journal.append(said, to: id) }
      try await journal.forget(first.id)
      #expect(try await journal.messages(of: first.id).isEmpty)
      #expect(try await journal.messages(of: second.id) == [said])
    }
  }

  @Test func `A log keeps its latest messages, however often a job has looked for a network`()
    async throws
  {
    let storage = try await SQLiteMapStorage.open(
      at: temporaryDirectory.appending(path: "library.sqlite"))
    let (first, second) = (try await storage.add(job("a")), try await storage.add(job("b")))
    let old = JobMessage(time: Self.day, text: "Old.")
    let new = JobMessage(time: Self.day, text: "New.")
    try await storage.append(old, to: second.id)
    let (id, record) = (first.id.text, try StorageRecord.data(old))
    try await storage.write([]) { connection in
      for _ in 1...SQLiteMapStorage.mostMessages {
        try connection.execute(
          "INSERT INTO job_message (job, record) VALUES (?1, ?2)", .text(id), .blob(record))
      }
    }
    try await storage.append(new, to: first.id)
    let kept = try await storage.messages(of: first.id)
    #expect(kept.count == SQLiteMapStorage.mostMessages && kept.last == new)
    #expect(try await storage.messages(of: second.id) == [old])
  }

  @Test func `A message that is posted once more stays as it is`() async throws {
    for outbox in try await journals() {
      let portal = try #require(URL(string: "https://portal.example"))
      func message(_ name: String, _ purpose: String) throws -> OutboxMessage {
        OutboxMessage(
          id: try #require(OutboxMessage.ID(name)), purpose: purpose, portal: portal,
          address: portal, fields: [:], created: Self.day)
      }
      try await outbox.post(message("a", "First."))
      try await outbox.post(message("b", "Second."))
      try await outbox.post(message("a", "Again."))
      let found = try await outbox.outgoingMessages()
      #expect(found.map(\.id.text) == ["a", "b"])
      #expect(found.map(\.purpose) == ["First.", "Second."])
    }
  }
}
