import Foundation
import PortolanApp
import PortolanComposition
import PortolanTestSupport
import Testing

@testable import PortolanREPL

/// What commands say of files that do not say what their coordinates mean.
@MainActor @Suite(.temporaryDirectory) struct UnknownReferenceTests {
  private static let fact = "Nothing says what the coordinates of \"survey\" mean"
  private static let fault = "\"survey.prj\" defines no spatial reference that is known"

  private func path(_ name: String) -> String {
    temporaryDirectory.appending(path: name).path(percentEncoded: false)
  }

  /// What a line answers, beside coordinates that are no degrees, and a `.prj`.
  private func run(_ line: String, projection: String?) async throws -> String {
    try Data("name,x,y\nA,419825,4872358\n".utf8).write(to: URL(filePath: path("survey.csv")))
    let file = URL(filePath: path("survey.prj"))
    if let projection { try Data(projection.utf8).write(to: file) }
    let home = HomeFolder(option: path("home"), environment: [:])
    let account = LiveAccount(home: home, environment: [:], portal: nil, isOffline: true)
    let console = TranscriptConsole()
    let session = Session(
      console: console, options: GlobalOptions(),
      app: LiveApp(home: home, timeZone: .gmt).model(for: account))
    let words = line.replacing("survey.csv", with: "'\(path("survey.csv"))'")
      .replacing("OUT", with: "'\(path("out.geojson"))'")
    let outcome = await session.interpreter.run(words, in: session)
    await session.app.close()
    return console.transcript + "[\(outcome.status)]"
  }

  @Test(arguments: [nil, "garbage"] as [String?])
  func `Features are written as they are, and that is said`(_ projection: String?) async throws {
    let fact = projection == nil ? Self.fact : "\(Self.fact): \(Self.fault)"
    for option in ["", " --csv"] {
      let answer = try await run(
        "features survey.csv --layer survey" + option, projection: projection)
      #expect(answer.contains("! \(fact). They are written as they are.\n"), "\(answer)")
      #expect(answer.contains("419825") && answer.hasSuffix("[\(ExitCode.done)]"))
    }
    for option in ["--crs native", "--count"] {
      let answer = try await run(
        "features survey.csv --layer survey \(option)", projection: projection)
      #expect(!answer.contains("Nothing says"), "\(answer)")
    }
    let refused = try await run(
      "features survey.csv --layer survey --crs 4326", projection: projection)
    #expect(refused.contains("\(fact), so that they cannot be projected."), "\(refused)")
  }

  @Test func `A conversion that knows what they mean does not ask for it`() async throws {
    let known = try await run("convert survey.csv OUT --from-crs 32619", projection: "garbage")
    #expect(!known.contains("survey.prj") && known.hasSuffix("[\(ExitCode.done)]"), "\(known)")
    let unknown = try await run("convert survey.csv OUT --crs 4326 --yes", projection: "garbage")
    #expect(unknown.contains("\(Self.fact): \(Self.fault), so that they cannot be projected."))
    #expect(unknown.contains("--from-crs"))
  }
}
