import Foundation
import PortolanTestSupport
import PortolanTiles
import Testing

@testable import PortolanApp
@testable import PortolanREPL

@MainActor
@Suite struct TileCacheCommandTests {
  private func parsed(_ line: String) throws(UsageError) -> (any Command)? {
    let words = try WordSplitter.words(of: line)
    return try Invocation(parsing: words, commands: .standard, options: GlobalOptions()).command
  }

  @Test(arguments: [
    "tiles download A", "tiles download A --retry",
    "tiles download A --source S --bbox 179,-18,-178,-16 --levels 0-25",
    "tiles download A --source S --circle -68.2,44.3,5000 --plan",
    "tiles clear --all", "tiles clear --set-aside", "tiles clear --source S --bbox 1,2,3,4",
    "tiles serve", "tiles serve a b",
    "tiles regions", "tiles regions A", "tiles get S 12/1234/1500 --mode cacheonly",
    "tiles out.mbtiles",
    "tiles get S 3/1/1 --header 'X-Key: a:b' --header A:b --user-agent me --subdomains a,b",
    "tiles download A --header X-Key:1",
    "tiles download A --source S --bbox 1,2,3,4 --high-resolution --attribution Them",
    "tiles get S 20/1/1 --cache-over-zoom on", "tiles get S 20/1/1 --cache-over-zoom off",
    "tiles download A --update --empty-tiles on", "tiles download A --update --source S",
    "tiles download A --retry --source S", "tiles get S 3/1/1 --fresh-for 30",
    "tiles get S 3/1/1 --fresh-for always", "tiles get S 3/1/1 --fresh-for server",
    "tiles download A --source S --bbox 1,2,3,4 --max-region-level 14 --max-region-tiles 20000000",
  ])
  func `A line with all that it needs is understood`(_ line: String) throws {
    #expect(try parsed(line) != nil)
  }

  @Test(arguments: [
    ("tiles download", "NAME is missing."),
    ("tiles download A --source S", "needs an extent"),
    ("tiles clear --all --forget", "--forget needs --source"),
    ("tiles clear --source S --bbox 1,2,3,4 --forget", "no --bbox"),
    ("tiles download A --retry --update", "not both"),
    ("tiles download A --source S --bbox 1,2,3,4 --update", "take no extent"),
    ("tiles download A --source S --bbox 1,2,3,4 --retry", "take no extent"),
    ("tiles download A --source S", "needs an extent"),
    ("tiles download A --source S --plan --update", "--plan needs"),
    ("tiles download A --plan", "--plan needs --source"),
    ("tiles download A --source S --bbox 1,4,3,2", "lies north of its north edge, 2"),
    ("tiles download A --source S --bbox 1,2,3", "four numbers"),
    ("tiles download A --source S --bbox 170,2,190,4", "190, is no longitude"),
    ("tiles download A --source S --bbox 1,2,3,4 --padding 4", "--padding needs --line"),
    ("tiles download A --source S --bbox 1,2,3,4 --levels 9-8", "levels from 0 to 25"),
    ("tiles get S 3/1/1 --header X-Key", "a name and a value"),
    ("tiles get S 3/1/1 --header 'X Key\t:b'", "a name and a value"),
    ("tiles get S 3/1/1 --fresh-for 0", "a number of days"),
    ("tiles get S 3/1/1 --fresh-for soon", "a number of days"),
    ("tiles get S 3/8/0", "level/column/row"), ("tiles get S 3/1", "level/column/row"),
    ("tiles clear", "What is to be removed?"), ("tiles clear --all --to 5", "Only one"),
    ("tiles clear --all --set-aside", "Only one"),
    ("tiles clear --all --bbox 1,2,3,4", "--bbox needs --source"),
  ])
  func `A line with a missing part says which`(_ line: String, _ words: String) {
    let error = #expect(throws: UsageError.self) { _ = try parsed(line) }
    let text = [error?.message, error?.suggestion].compactMap(\.self).joined(separator: " ")
    #expect(text.contains(words), "\(text)")
  }

  @Test func `Where a key has expired the line is named that gives a new one`() {
    let updating = TileRegionText.renewingKey(of: "Coast", .update)
    #expect(updating.contains("\"tiles download Coast --update --source ADDRESS\" continues it"))
    let retrying = TileRegionText.renewingKey(of: "Area 1", .failed)
    #expect(retrying.contains("tiles download \"Area 1\" --retry --source ADDRESS continues it"))
    // Without --retry and --update the address goes with all that the region was requested with.
    #expect(!TileRegionText.renewingKey(of: "Coast", .missing).contains("ADDRESS"))
  }

  @Test func `Blanks between the names of sub-domains are none of these`() throws {
    var arguments = Arguments()
    arguments.add("a, b ,c", for: TileSourceArguments.subdomains)
    #expect(try TileSourceArguments.options(arguments).subdomains == ["a", "b", "c"])
  }

  @Test(arguments: [
    (
      TileRegionSummary.Status.complete, TileRegionsModel.Pass.missing, Problem.Kind.cancellation,
      true
    ),
    (.complete, .failed, .cancellation, true), (.complete, .update, .cancellation, false),
    (.interrupted, .missing, .cancellation, false), (.complete, .missing, .network, false),
  ])
  func `Ctrl-C that comes when all tiles are there has stopped nothing`(
    _ status: TileRegionSummary.Status, _ pass: TileRegionsModel.Pass, _ kind: Problem.Kind,
    _ isDone: Bool
  ) {
    #expect(TilesDownloadCommand.isDone(status, pass, despite: kind) == isDone)
  }

  @Test func `All boxes of which tiles are to be removed count`() throws {
    let line = "tiles clear --source S --bbox 1,2,3,4 --bbox 5,6,7,8 --levels 3"
    let command = try #require(try parsed(line) as? TilesClearCommand)
    let boxes: [TileRegionExtent] = [
      .box(west: 1, south: 2, east: 3, north: 4), .box(west: 5, south: 6, east: 7, north: 8),
    ]
    #expect(command.target == .tiles(.extent(.several(boxes), levels: 3...3, source: "S")))
  }

  @Test(arguments: [
    ("Coast", "\"tiles download Coast\""), ("Area 1", "tiles download \"Area 1\""),
    ("A&B", "tiles download \"A&B\""), ("5\" pipes", "tiles download '5\" pipes'"),
    ("it's", "tiles download \"it's\""), ("$HOME", "tiles download '$HOME'"),
  ])
  func `A line that names a region can be pasted`(_ name: String, _ line: String) throws {
    let text = TileRegionText.command(name, .missing)
    #expect(text == line)
    let words = try WordSplitter.words(
      of: text.hasPrefix("\"") ? String(text.dropFirst().dropLast()) : text)
    #expect(words.last == name)
  }

  @Test func `A line in a sentence has quotes around it only where it has none within`() {
    let lines = ["Coast", "Area 1"].map { TileRegionText.command("tiles clear --region", $0) }
    #expect(lines == ["\"tiles clear --region Coast\"", "tiles clear --region \"Area 1\""])
  }

  @Test func `Where there is no tile, nothing else is written to standard output`() throws {
    let command = try #require(try parsed("tiles get S 0/0/0 --to -") as? TilesGetCommand)
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.standard))
    var reading = TileReading(
      source: "S", tile: TileID(level: 0, row: 0, column: 0), path: .network,
      fetched: Date(timeIntervalSince1970: 0), age: 0)
    let failure = #expect(throws: Failure.self) { _ = try command.write(reading, in: session) }
    #expect(failure?.status == .notFound && console.transcript.isEmpty)
    reading.data = Data("tile".utf8)
    _ = try command.write(reading, in: session)
    #expect(console.transcript == "tile")
  }

  @Test func `An app without a network keeps no tiles`() async {
    let console = TranscriptConsole(width: 80)
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.standard))
    let outcome = await session.interpreter.run("tiles status", in: session)
    #expect(outcome.status == .notFound)
    #expect(console.transcript.contains("keeps no tiles"))
  }

  @Test func `Files that were set aside are reported with how to delete them`() {
    #expect(TileCacheText.setAside([]).isEmpty)
    let files = [1, 2].map { SetAsideTileCache.stub("/tiles/MapCache.sqlite.set-aside-\($0)") }
    let text = TextLayout(width: nil, usesColor: false)
      .text(of: TextDocument(TileCacheText.setAside(files)))
    #expect(text.contains("2 damaged caches were set aside, 2 kB"))
    #expect(text.contains("\"tiles clear --set-aside\" deletes them"))
    #expect(text.contains("/tiles/MapCache.sqlite.set-aside-2\n"))
  }

  @Test func `A plan says where nothing lies, and where the source has nothing`() {
    func text(_ count: Int, _ size: TileRegionPlan.Size? = nil) -> String {
      let request = TileRegionRequest(
        name: "A", source: "S", extent: .box(west: 1, south: 2, east: 3, north: 4))
      var plan = TileRegionPlan(
        request: request, source: "S", levels: [], count: count, crossesAntimeridian: false)
      plan.size = size
      if count == 7 { plan.sizeProblem = "h refuses it." }
      guard case .document(let text, _) = TilePlanPage(plan: plan).result.body else { return "" }
      return TextLayout(width: nil, usesColor: false).text(of: text)
    }
    #expect(!text(0).contains("In all"))
    let some = TileRegionPlan.Size(sampleCount: 3, bytes: 10...20, likelyBytes: 15)
    #expect(text(5, some).contains("In all: 5 tiles, "))
    #expect(!text(5, some).contains("has none of the tiles"))
    #expect(text(7).contains("Its size is unknown: h refuses it."))
    let none = TileRegionPlan.Size(sampleCount: 3, bytes: 0...0, likelyBytes: 0)
    #expect(text(5, none).contains("The source has none of the tiles that were looked at"))
  }

  @Test(arguments: [
    (5, "less than a minute old"), (600, "10 min old"), (10_000, "2 h old"),
    (2_592_000, "30 days old"),
  ])
  func `Ages are shown in readable units`(_ seconds: Double, _ text: String) {
    #expect(TileText.age(seconds) == text)
  }
}

extension SetAsideTileCache {
  /// A file of a thousand bytes.
  fileprivate static func stub(_ path: String) -> SetAsideTileCache {
    SetAsideTileCache(file: path, byteCount: 1_000)
  }
}
