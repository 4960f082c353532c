import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanGeometry
import PortolanSQLite
import PortolanSearch

/// Suggestions while typing over a million addresses, each query from its third character on.
struct SearchBenchmark: BenchmarkSuite {
  let name = "search"

  private static let queries = 200

  func run(_ bed: BenchmarkBed) async throws {
    let addresses = AddressGeodatabase(bed)
    let locator = try await index(addresses.url, try await addresses.source())
    let keys = try keystrokes(bed)
    try await report(locator, keys)
    let (database, queries) = (path("local/addresses.db", bed), path("local/queries.txt", bed))
    await Contest(
      job: "A keystroke over 1,000,000 addresses, 10 suggestions",
      contenders: [
        .ours("Portolan", count: keys.count) {
          for key in keys { _ = try await locator.suggest(key, limit: 10) }
        },
        bed.floor("C: FTS5, LIMIT 10", "floor_search fts5 \(database) \(queries) 200"),
        bed.floor("C: FTS5 ORDER BY rank", "floor_search fts5rank \(database) \(queries) 60"),
        bed.floor(
          "C: sorted array in memory (prefix only)",
          "floor_search sorted \(database) \(queries) 2000"),
        bed.peer(
          "tantivy, BM25 top 10", script: "bench_search.py",
          row: "tantivy (Lucene-like), BM25 top 10"),
        bed.peer(
          "marisa-trie (prefix only)", script: "bench_search.py", row: "marisa-trie (prefix only)"),
      ]
    ).run(on: bed)
  }

  /// Makes the index as maps have it, in a file, and opens it again.
  private func index(_ url: URL, _ source: LocatorSource) async throws -> LocatorTask {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    // What is left behind is in the folder for temporary files.
    defer { try? FileManager.default.removeItem(at: folder) }
    let indexes = LocatorIndexes(in: folder)
    let subject = LocatorSubject(title: "Addresses", package: url, name: "addresses")
    let clock = ContinuousClock()
    let (start, processorTime) = (clock.now, clock_t.ofProcess)
    let made = try await indexes.locator(for: subject, searching: [source])
    let seconds = (clock.now - start) / .seconds(1)
    let spent = Double(clock_t.ofProcess - processorTime) / Double(CLOCKS_PER_SEC)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.fileSizeKey])
    let size = try files.compactMap { try $0.resourceValues(forKeys: [.fileSizeKey]).fileSize }
      .reduce(0, +)
    var openings: [Double] = []
    var locator = made
    for _ in 0..<11 {
      let start = clock.now
      locator = try await indexes.locator(for: subject, searching: [source])
      openings.append((clock.now - start) / .milliseconds(1))
    }
    print(
      "\nIndex of \(locator.labelCount) addresses made from a geodatabase in \(seconds) s,",
      "\(spent) s of processor time; \(size) bytes; opened in \(openings.sorted()[5]) ms.")
    return locator
  }

  private func path(_ name: String, _ bed: BenchmarkBed) -> String {
    bed.data(name).path(percentEncoded: false)
  }

  private func keystrokes(_ bed: BenchmarkBed) throws -> [String] {
    let text = try String(contentsOf: bed.data("local/queries.txt"), encoding: .utf8)
    return text.split(separator: "\n").prefix(Self.queries).flatMap { query -> [String] in
      guard query.count >= 3 else { return [] }
      return (3...query.count).map { String(query.prefix($0)) }.filter { $0.last != " " }
    }
  }

  /// The spread of single keystrokes, which the mean of a contest does not show.
  private func report(_ locator: LocatorTask, _ keys: [String]) async throws {
    let clock = ContinuousClock()
    var times: [Double] = []
    for key in keys {
      let start = clock.now
      _ = try await locator.suggest(key, limit: 10)
      times.append((clock.now - start) / .microseconds(1))
    }
    times.sort()
    let mean = times.reduce(0, +) / Double(max(1, times.count))
    let figures = [mean, times[times.count / 2], times[times.count * 99 / 100], times.last ?? 0]
      .map { $0.formatted(.number.precision(.fractionLength(1)).grouping(.never)) }
    print(
      "One keystroke: mean \(figures[0]), p50 \(figures[1]), p99 \(figures[2]), max \(figures[3]) µs."
    )
  }
}

/// The bench's addresses as a geodatabase.
private struct AddressGeodatabase {
  private static let schema = FeatureTableSchema(
    name: "addresses", geometryType: .point, spatialReference: .webMercator,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false), Field("ADDRESS", .string, length: 80),
      Field("CITY", .string, length: 40),
    ])

  let url: URL
  private let database: URL

  init(_ bed: BenchmarkBed) {
    url = bed.data("local/addresses.geodatabase")
    database = bed.data("local/addresses.db")
  }

  func source() async throws -> LocatorSource {
    if !FileManager.default.fileExists(atPath: url.path(percentEncoded: false)) { try make() }
    return LocatorSource(
      id: "addresses", layerID: "addresses", title: "Addresses",
      store: try Geodatabase.open(at: url), schema: Self.schema, fields: ["ADDRESS", "CITY"])
  }

  private func make() throws {
    let writer = try GeodatabaseWriter(
      at: url, GeodatabaseDefinition(name: "addresses", tables: [.init(Self.schema)]),
      now: Date(timeIntervalSince1970: 1_700_000_000), makeID: { UUID() })
    let fields = FieldList(Self.schema.fields)
    let connection = try Connection(at: database, access: .readOnly)
    let rows = try connection.query("SELECT id, addr, city, x, y FROM a")
    while try rows.step() {
      let id = rows.integer(at: 0)
      let values: [AttributeValue] = [
        .integer(id), .text(rows.text(at: 1)), .text(rows.text(at: 2)),
      ]
      try writer.append(
        Feature(
          objectID: id, attributes: Attributes(fields, values),
          geometry: .point(Point(x: rows.real(at: 3), y: rows.real(at: 4)))), to: "addresses")
    }
    try writer.finish()
  }
}

extension clock_t {
  /// The processor time that this process has spent, in units of `CLOCKS_PER_SEC`.
  fileprivate static var ofProcess: clock_t { clock() }
}
