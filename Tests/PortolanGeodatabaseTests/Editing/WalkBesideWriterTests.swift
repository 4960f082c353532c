import Foundation
import PortolanFeatureContracts
import PortolanFeatures
import PortolanGeometry
import PortolanSQLite
import PortolanTestSupport
import Testing

@testable import PortolanGeodatabase

/// Whether a walk sees one state of a table, whoever writes to it meanwhile.
///
/// Each commit removes the row with the least object id and adds one after the greatest, so that the
/// ids of every state are a run without gaps, of the same length. `PORTOLAN_WALK_COUNT` asks for
/// more rows.
@Suite(.temporaryDirectory, .timeLimit(.minutes(20))) struct WalkBesideWriterTests {
  private static let count =
    ProcessInfo.processInfo.environment["PORTOLAN_WALK_COUNT"].flatMap { Int($0) } ?? 20_000
  private static let fields = FieldList([
    Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
    Field("NAME", .string, length: 40),
  ])

  private var url: URL { temporaryDirectory.appending(path: "rows.geodatabase") }

  private func write(journalMode: String = "DELETE") throws {
    let tables = ["Rows", "Others"].map {
      GeodatabaseDefinition.Table(FeatureTableSchema(name: $0, fields: Self.fields.fields))
    }
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "Rows", tables: tables), now: Example.moment,
      makeID: Example.ids())
    for number in 1...Self.count {
      let attributes = Attributes(Self.fields, [.null, .text("row \(number)")])
      try writer.append(Feature(objectID: 0, attributes: attributes), to: "Rows")
    }
    try writer.finish()
    try Connection(at: url, access: .readWrite).execute("PRAGMA journal_mode = \(journalMode)")
  }

  /// Walks to the end, and calls `body` after each page.
  private func walk(
    _ store: any FeatureStore, afterEachPage body: () async throws -> Void = {}
  ) async throws -> [Int64] {
    var iterator = store.features(in: "Rows", matching: .init()).makeAsyncIterator()
    var ids: [Int64] = []
    while case let page = try await iterator.nextFeatures(), !page.isEmpty {
      ids += page.map(\.objectID)
      try await body()
    }
    return ids
  }

  @Test func `A question that takes several statements is answered from one state`() async throws {
    try write(journalMode: "WAL")
    let (url, geodatabase) = (url, try Geodatabase.open(at: url))
    let counts = try await geodatabase.read { reader throws(FeatureStoreError) in
      do {
        let before = try Self.rowCount(reader.connection)
        try Connection(at: url, access: .edit).execute("DELETE FROM Others")
        try Connection(at: url, access: .edit).execute("DELETE FROM Rows")
        return [before, try Self.rowCount(reader.connection)]
      } catch {
        throw .unreadable(file: url.path, reason: "\(error)")
      }
    }
    #expect(counts == [Self.count, Self.count])
  }

  @Test func `A file that another program replaced is read again`() async throws {
    try write()
    let geodatabase = try Geodatabase.open(at: url)
    #expect(try await geodatabase.count(in: "Rows", matching: .init()) == Self.count)
    let next = temporaryDirectory.appending(path: "next.geodatabase")
    try FileManager.default.copyItem(at: url, to: next)
    try Connection(at: next, access: .edit).execute("DELETE FROM Rows")
    #expect(rename(next.path, url.path) == 0)
    #expect(try await geodatabase.count(in: "Rows", matching: .init()) == 0)
  }

  private static func rowCount(_ connection: borrowing Connection) throws -> Int {
    let query = try connection.query("SELECT count(*) FROM Rows")
    return try query.step() ? Int(query.integer(at: 0)) : 0
  }

  private func edit(_ first: Int64) -> [FeatureEdit] {
    [
      .delete(.objectID(first), table: "Rows"),
      .add(NewFeature(attributes: ["NAME": .text("new")]), table: "Rows"),
    ]
  }

  @Test(arguments: ["DELETE", "WAL"])
  func `A walk sees one state while its own program commits after each page`(
    mode: String
  ) async throws {
    try write(journalMode: mode)
    let store = try ContractGeodatabase.edited(url)
    var commits: Int64 = 0
    // The first edit comes before the walk, and puts the file into write-ahead mode.
    _ = try await store.apply(edit(1))
    let ids = try await walk(store) {
      commits += 1
      _ = try await store.apply(edit(commits + 1))
    }
    #expect(ids == Array(2...Int64(Self.count) + 1))
    #expect(commits > 50)
    #expect(try await walk(store).first == commits + 2)
    await store.close()
  }

  @Test func `A reader of its own sees one state while an editor commits after each page`()
    async throws
  {
    try write(journalMode: "WAL")
    let reader = try Geodatabase.open(at: url)
    let store = try ContractGeodatabase.edited(url)
    var commits: Int64 = 0
    let ids = try await walk(reader) {
      commits += 1
      _ = try await store.apply(edit(commits))
    }
    #expect(ids == Array(1...Int64(Self.count)))
    #expect(try await walk(reader) == Array(commits + 1...commits + Int64(Self.count)))
    await store.close()
  }

  @Test func `Walks that are open neither hold up an edit nor see it`() async throws {
    try write()
    let store = try ContractGeodatabase.edited(url)
    _ = try await store.apply([
      .add(NewFeature(attributes: ["NAME": .text("x")]), table: "Others")
    ])
    var open = (0..<8).map { _ in
      store.features(in: "Rows", matching: .init()).makeAsyncIterator()
    }
    for index in open.indices { _ = try await open[index].next() }
    _ = try await store.apply(edit(1))
    for index in open.indices { #expect(try await open[index].next()?.objectID == 2) }
    await store.close()
  }

  @Test(.needsTool("python3"), arguments: ["DELETE", "WAL"])
  func `A walk sees one state while another program commits, and neither starves`(
    mode: String
  ) async throws {
    try write(journalMode: mode)
    let writer = try CommittingProcess(url)
    let reader = try Geodatabase.open(at: url)
    for _ in 0..<5 {
      let ids = try await walk(reader)
      let first = try #require(ids.first)
      #expect(ids == Array(first..<first + Int64(Self.count)))
    }
    let commits = try writer.stop()
    #expect(commits > 0)
    #expect(try await walk(reader).first == commits + 1)
  }

  @Test func `A writer that a walk blocks learns which process holds the lock`() async throws {
    try write()
    let reader = try Geodatabase.open(at: url)
    var iterator = reader.features(in: "Rows", matching: .init()).makeAsyncIterator()
    _ = try await iterator.next()
    let other = try Connection(at: url, access: .readWrite, patience: .milliseconds(50))
    let error = #expect(throws: DatabaseError.self) {
      try other.execute("DELETE FROM Rows WHERE OBJECTID = 1")
    }
    #expect(error?.code == .busy)
    // With the last row, not with the iterator, the lock is given back.
    while case let page = try await iterator.nextFeatures(), !page.isEmpty {}
    try other.execute("DELETE FROM Rows WHERE OBJECTID = 1")
  }
}

/// Another program that changes a table, one commit after the other.
private final class CommittingProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ url: URL) throws {
    process.executableURL = URL(filePath: Tool.path(of: "python3") ?? "python3")
    process.arguments = [
      "-c",
      """
      import select, sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=300)
      commits = 0
      while not select.select([sys.stdin], [], [], 0.002)[0]:
          c.execute('BEGIN IMMEDIATE')
          first, last = c.execute('SELECT min(OBJECTID), max(OBJECTID) FROM Rows').fetchone()
          c.execute('DELETE FROM Rows WHERE OBJECTID = ?', (first,))
          c.execute('INSERT INTO Rows (OBJECTID, NAME) VALUES (?, ?)', (last + 1, 'new'))
          c.execute('COMMIT')
          commits += 1
          if commits == 1: print('begun', flush=True)
      c.close()
      print(commits, flush=True)
      """, url.path(percentEncoded: false),
    ]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = output.fileHandleForReading.availableData
  }

  /// Ends the program; returns how often it has committed.
  func stop() throws -> Int64 {
    // Closing says it as well as a line does, and cannot end this process if the other has died.
    try input.fileHandleForWriting.close()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return try #require(Int64(text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  deinit { if process.isRunning { process.terminate() } }
}
