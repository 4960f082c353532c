import Foundation
import PortolanFeatures
import PortolanSQLite
import PortolanTestSupport
import Synchronization
import Testing

@testable import PortolanGeodatabase

@Suite(.temporaryDirectory) struct GeodatabaseCursorTests {
  private static let fields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 40),
  ])

  /// A geodatabase with a table of rows that fill several pages.
  private func source(rows: Int = 2_000) throws -> GeodatabaseSource {
    let url = temporaryDirectory.appending(path: "rows.geodatabase")
    let schema = FeatureTableSchema(name: "Rows", fields: Self.fields.fields)
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Rows", tables: [.init(schema)]), now: Example.moment,
      makeID: Example.ids())
    for number in 1...rows {
      let attributes = Attributes(Self.fields, [.null, .text("row \(number)")])
      try writer.append(Feature(objectID: 0, attributes: attributes), to: "Rows")
    }
    try writer.finish()
    return GeodatabaseSource(.file(url))
  }

  private func sequence(_ pool: ReaderPool) -> FeatureSequence {
    FeatureSequence {
      let cursor = PendingCursor(pool, table: "Rows", query: .init())
      return { () throws(FeatureStoreError) in try await cursor.nextPage() }
    }
  }

  @Test func `Features come in pages, each once`() async throws {
    let pool = try ReaderPool(source(), mostSessions: 1)
    let cursor = PendingCursor(pool, table: "Rows", query: .init())
    var ids: [Int64] = []
    while case let page = try await cursor.nextPage(), !page.isEmpty {
      #expect(page.count <= 256)
      ids += page.map(\.objectID)
    }
    #expect(ids == Array(1...2_000))
    #expect(try await cursor.nextPage().isEmpty)
  }

  @Test func `A sequence can be walked along twice, also at once`() async throws {
    let pool = try ReaderPool(source(), mostSessions: 2)
    let sequence = sequence(pool)
    var first = sequence.makeAsyncIterator()
    var second = sequence.makeAsyncIterator()
    for number in 1...600 as ClosedRange<Int64> {
      #expect(try await first.next()?.objectID == number)
      #expect(try await second.next()?.objectID == number)
    }
    #expect(try await sequence.collect().count == 2_000)
  }

  @Test func `A walk that ends early lets go of its statement`() async throws {
    let pool = try ReaderPool(source(), mostSessions: 1)
    try await walk(pool, steps: 300)
    let session = try pool.acquire()
    defer { pool.release(session) }
    // The session's queue is served in order, so what the dropped walk left is done by now.
    #expect(await session.cursorCount == 0)
  }

  private func walk(_ pool: ReaderPool, steps: Int) async throws {
    var iterator = sequence(pool).makeAsyncIterator()
    for _ in 0..<steps { _ = try await iterator.next() }
    let session = try pool.acquire()
    defer { pool.release(session) }
    #expect(await session.cursorCount == 1)
  }

  @Test func `A cancelled walk says so`() async throws {
    let pool = try ReaderPool(source(), mostSessions: 1)
    let sequence = sequence(pool)
    let task = Task {
      var iterator = sequence.makeAsyncIterator()
      _ = try await iterator.next()
      withUnsafeCurrentTask { $0?.cancel() }
      while try await iterator.next() != nil {}
    }
    await #expect(throws: FeatureStoreError.cancelled) { try await task.value }
    // The connection is none the worse for it.
    #expect(try await sequence.collect().count == 2_000)
  }

  @Test func `A cancelled task stops a statement that is running`() async throws {
    let url = temporaryDirectory.appending(path: "rows.geodatabase")
    _ = try source(rows: 3_000)
    let geodatabase = try Geodatabase.open(at: url)
    let task = Task {
      try await geodatabase.read { reader throws(FeatureStoreError) in
        withUnsafeCurrentTask { $0?.cancel() }
        return try reader.countPairs(in: "Rows")
      }
    }
    await #expect(throws: FeatureStoreError.cancelled) { try await task.value }
    #expect(try await geodatabase.count(in: "Rows", matching: .init()) == 3_000)
  }

  @Test func `A reader is used by one task at a time`() async throws {
    let session = try ReaderSession(source(rows: 10))
    let (users, mostUsers) = (Counter(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await session.lend { reader throws(FeatureStoreError) in
            mostUsers.raise(to: users.add(1))
            _ = try reader.count(in: "Rows", matching: .init())
            _ = users.add(-1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(mostUsers.value == 1)
  }

  @Test func `Many tasks are answered at once`() async throws {
    let geodatabase = try Geodatabase.open(
      at: {
        _ = try source()
        return temporaryDirectory.appending(path: "rows.geodatabase")
      }())
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<24 {
        group.addTask {
          let query = QueryParameters(whereClause: "OBJECTID > \(number * 10)")
          return try await geodatabase.features(in: "Rows", matching: query).collect().count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(counts == (0..<24).reduce(0) { $0 + 2_000 - $1 * 10 })
  }
}

/// A number that many threads change.
private final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock(\.self) }

  func add(_ step: Int) -> Int {
    number.withLock { number in
      number += step
      return number
    }
  }

  func raise(to least: Int) { number.withLock { $0 = max($0, least) } }
}

extension GeodatabaseReader {
  /// Something that takes SQLite a while.
  fileprivate func countPairs(in table: String) throws(FeatureStoreError) -> Int64 {
    let storage = try storage(of: table)
    let query = try statement(
      "SELECT count(*) FROM \(table) AS a, \(table) AS b, \(table) AS c", [], storage)
    return try step(query, "the rows") ? query.integer(at: 0) : 0
  }
}
