import Foundation
import PortolanFeatures
import PortolanTestSupport
import Testing

@testable import PortolanApp
@testable import PortolanREPL

/// The mistakes in a line itself: it ends with status 2, and says how the command is typed.
@MainActor
@Suite struct UsageMistakeTests {
  private func error(of line: String) throws -> UsageError? {
    let words = try WordSplitter.words(of: line)
    return #expect(throws: UsageError.self) {
      _ = try Invocation(parsing: words, commands: .standard, options: GlobalOptions())
    }
  }

  @Test(arguments: [
    ("edit move Towns 3 --to 1,2", "Usage: edit move LAYER ID"),
    ("edit move Towns 3 --at x", "Usage: edit move LAYER ID"),
    ("estimate abc --area 1,2,3,4", "Usage: estimate MAP AREA"),
    ("estimate abc", "Usage: estimate MAP AREA"),
    ("take-offline abc 1,2,3", "Usage: take-offline MAP AREA"),
    ("take-offline abc 1,95,2,97", "longitudes before latitudes"),
    ("estimate abc 10,2,3,4", "west,south,east,north in this order"),
    ("--frob", "\"help\""),
    ("settings set page-size", "Usage: settings"),
    ("sync abc --all", "Usage: sync"),
    ("search --more --type any", "Leave --type and --page out"),
    ("search --more --page 2", "Leave --type and --page out"),
    ("tiles clear --forget", "\"tiles clear --source NAME --forget\""),
    ("tiles - --map a.mmpk", "Usage: tiles FILE"), ("unpack a.mmpk -", "Usage: unpack FILE FOLDER"),
    ("tiles export A -", "Usage: tiles export"), ("export A -", "Usage: export MAP FILE"),
    ("create-package - --from a.gpkg", "Usage: create-package"),
    ("create-package --example -", "Usage: create-package"),
    ("edit set Towns 3 NAME=a name=b", "Give each field one value"),
    ("features a.gpkg --layer Towns --fields NAME,name", "Usage: features FILE"),
    ("take-offline abc 1,2,3,4 --no-basemap --basemap a.tpkx", "Usage: take-offline"),
    ("tiles clear --older-than 1,5", "decimal point: 1.5."),
    ("find --at '-68,2;44,3'", "decimal point: -68.2,44.3."),
    ("features a.gpkg --layer Towns --bbox '-69 43,5 -68 44,5'", "point: -69,43.5,-68,44.5."),
    ("snapshot a.png --scale 24,000", "Write 24000, without a comma"),
    ("view --scale 1:24.000", "Usage: view"), ("view --scale 62.500", "Usage: view"),
    ("snapshot a.png --size 1,024x768", "Write 1024x768 or 1.024x768"),
    ("snapshot a.png --size 1,5x3", "decimal point: 1.5x3."),
    ("view --scale 1e-300", "Usage: view"), ("view --scale 1:1e300", "Usage: view"),
    ("find x --limit 1,000", "Write 1000, without a comma"),
    ("find x --limit 1,5", "Usage: find"), ("estimate abc 1,2", "Usage: estimate MAP AREA"),
  ])
  func `A line that cannot be understood is answered with what to type`(
    _ line: String, _ advice: String
  ) throws {
    let suggestion = try #require(try error(of: line)?.suggestion)
    #expect(suggestion.contains(advice), "\(suggestion)")
  }

  @Test func `A usage with many options names those that are needed, and where the others are`()
    throws
  {
    let declarations = CommandTable.standard.commands.map { $0.declaration }
    for declaration in declarations {
      #expect(declaration.usage.count <= 160, "\(declaration.name)")
    }
    #expect(
      try error(of: "tiles download")?.suggestion
        == "Usage: tiles download NAME [options]; \"help tiles download\" lists them.")
  }

  @Test(
    arguments: [["--home", "elsewhere"], ["--portal", "example.org"], ["--offline"]],
    [["web", "--demo"], ["demo"]])
  func `A demo refuses what it would ignore, except at the prompt`(
    _ option: [String], _ demo: [String]
  ) async throws {
    let invocation = try Invocation(
      parsing: demo + option, commands: .standard, options: GlobalOptions())
    let command = try #require(invocation.command)
    let console = TranscriptConsole(width: 200)
    var session = Session(
      console: console, options: invocation.options, app: AppModel(opener: NoPackages()))
    session.keepsMap = false
    #expect(await session.interpreter.run(command, in: session).status == .wrongUsage)
    #expect(console.transcript.contains("\(option[0]) means nothing with "))
    session.keepsMap = true
    #expect(await session.interpreter.run(command, in: session).status != .wrongUsage)
  }

  @Test func `A suggestion for a word replaces the usage`() throws {
    #expect(try error(of: "edit move Towns 3 --att 1,2")?.suggestion == "Did you mean \"--at\"?")
  }

  @Test(arguments: [
    ("open", ExitCode.wrongUsage, "Usage: open [MAP]"),
    ("run nowhere.portolan", .notFound, "Check the path of the script"),
  ])
  func `A command says what is missing`(
    _ line: String, _ status: ExitCode, _ advice: String
  ) async {
    let console = TranscriptConsole(width: 200)
    let session = Session(
      console: console, options: GlobalOptions(), app: AppModel(opener: NoPackages()))
    let outcome = await session.interpreter.run(line, in: session)
    #expect(outcome.status == status && console.transcript.contains(advice))
  }

  @Test(arguments: [
    (ErrorCode.usage, ExitCode.wrongUsage), (.unknownTarget, .wrongUsage), (.sameFile, .wrongUsage),
    (.severalLayers, .wrongUsage), (.badScales, .wrongUsage), (.attachmentOptions, .wrongUsage),
    (.wrongTarget, .wrongUsage), (.areaCrossesDateline, .wrongUsage),
    (.targetExists, .failed), (.badWhereClause, .failed), (.noSuchLayer, .notFound),
  ])
  func `A failure ends as its code says`(_ code: ErrorCode, _ status: ExitCode) {
    #expect(Failure(code, "No.").status == status)
    #expect(Failure(Problem(code, message: "No.")).status == status)
  }

  @Test func `A condition is a mistake where the line gives it, not where the map has it`() throws {
    let schema = FeatureTableSchema(name: "Towns", fields: [Field("OBJECTID", .objectID)])
    let layer = InspectedLayer(
      names: ["Towns"], store: InMemoryFeatureStore([]), schema: schema,
      definitionExpression: "OBJECTID =")
    let typed = try #require(throws: Problem.self) { try layer.check("OBJECTID = = 1") }
    #expect(Failure(aboutConditionOfLine: typed).status == .wrongUsage)
    let own = try #require(throws: Problem.self) { try layer.checkDefinition() }
    #expect(Failure(own).status == .failed)
    #expect(own.message.contains("The condition that the map has for the layer"))
    #expect(throws: Never.self) { try layer.check("OBJECTID > 1") }
    #expect(throws: Never.self) { try layer.check(nil) }
  }

  @Test func `Sources whose region policy is unknown are not reported to forbid regions`() {
    var state = TileRegionsModel.State()
    state.usage = TileCacheUsage(file: "tiles.sqlite")
    state.sources = [
      TileSourceSummary(
        name: "Layers", address: "https://h/MapServer", levels: 0...10,
        isImported: false)
    ]
    let text = TextLayout(width: nil, usesColor: false)
      .text(of: TextDocument(TilesStatusCommand.blocks(state)))
    #expect(text.contains("not known") && !text.contains("not allowed"))
  }
}
