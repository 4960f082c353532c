import Foundation
import PortolanFeatureContracts
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

  private func pool(rows: Int = 2_000) throws -> ReaderPool {
    try ReaderPool(opening: source(rows: rows), mostShared: 2)
  }

  private func sequence(_ pool: ReaderPool) -> FeatureSequence {
    pool.features(in: "Rows", matching: .init())
  }

  @Test func `Features come in pages, each once`() async throws {
    var walk = try sequence(pool()).makeAsyncIterator()
    var ids: [Int64] = []
    while case let page = try await walk.nextFeatures(), !page.isEmpty {
      #expect(page.count <= 256)
      ids += page.map(\.objectID)
    }
    #expect(ids == Array(1...2_000))
    #expect(try await walk.nextFeatures().isEmpty)
  }

  @Test func `A sequence can be walked along any number of times at once`() async throws {
    let sequence = try sequence(pool())
    var walks = (0..<5).map { _ in sequence.makeAsyncIterator() }
    for number in 1...600 as ClosedRange<Int64> {
      for index in walks.indices {
        #expect(try await walks[index].next()?.objectID == number)
      }
    }
    #expect(try await sequence.collect().count == 2_000)
  }

  @Test(.timeLimit(.minutes(5)))
  func `A walk that ends early gives its session back`() async throws {
    let pool = try pool()
    #expect(pool.sessionCount == 1)
    try await walk(pool, steps: 300)
    // Another thread does so, when it has its turn.
    while pool.sessionCount != 1 {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test func `A walk that ends early gives its lock back`() async throws {
    let pool = try pool()
    try await walk(pool, steps: 300)
    let writer = try Connection(
      at: temporaryDirectory.appending(path: "rows.geodatabase"), access: .readWrite)
    try writer.execute("DELETE FROM Rows")
  }

  @Test func `Nothing is left beside a file in write-ahead mode whose walk was let go of`()
    async throws
  {
    let source = try source(rows: 600)
    let url = temporaryDirectory.appending(path: "rows.geodatabase")
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = WAL")
    for _ in 0..<200 {
      let pool = try ReaderPool(opening: source, mostShared: 2)
      try await walk(pool, steps: 300)
      await pool.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: temporaryDirectory.path)
      try #require(names == [url.lastPathComponent])
    }
  }

  @Test func `A walk gives its lock back with its last rows, though it is not let go of`()
    async throws
  {
    let pool = try pool(rows: 200)
    var walk = sequence(pool).makeAsyncIterator()
    #expect(try await walk.next()?.objectID == 1)
    let writer = try Connection(
      at: temporaryDirectory.appending(path: "rows.geodatabase"), access: .readWrite)
    try writer.execute("DELETE FROM Rows")
    #expect(try await walk.nextFeatures().count == 199)
  }

  @Test func `A walk that is cancelled gives its lock back, though it is not let go of`()
    async throws
  {
    let iterator = Mutex(try sequence(pool()).makeAsyncIterator())
    let task = Task {
      var walk = iterator.withLock(\.self)
      _ = try await walk.next()
      withUnsafeCurrentTask { $0?.cancel() }
      defer { iterator.withLock { $0 = walk } }
      while try await walk.next() != nil {}
    }
    await #expect(throws: FeatureStoreError.cancelled) { try await task.value }
    let writer = try Connection(
      at: temporaryDirectory.appending(path: "rows.geodatabase"), access: .readWrite)
    try writer.execute("DELETE FROM Rows")
  }

  private func walk(_ pool: ReaderPool, steps: Int) async throws {
    var iterator = sequence(pool).makeAsyncIterator()
    for _ in 0..<steps { _ = try await iterator.next() }
    #expect(pool.sessionCount == 0)
  }

  @Test func `A cancelled walk says so`() async throws {
    let sequence = try sequence(pool())
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
