import Foundation
import PortolanApp
import PortolanFeatures
import PortolanJobs
import Testing

@testable import PortolanREPL

/// The names of things in commands, and lines to type, at the prompt and at the shell.
@MainActor
@Suite struct CommandAdviceTests {
  private struct WrittenExample: SamplePackageSource {
    func package() async throws -> URL { throw CancellationError() }
    func writeExample(to folder: URL) async throws -> URL { folder.appending(path: "town.json") }
  }

  private nonisolated static let names: [(String, [String], String?)] = [
    ("Trials", ["Trails", "Roads"], "Did you mean \"Trails\"?"),
    ("x", ["Trails", "Roads"], "There are \"Trails\", \"Roads\"."),
    ("x", ["Trails"], "There is \"Trails\"."), ("x", [], nil),
  ]

  @Test(arguments: names)
  func `The names that there are help where none of them is near`(
    _ word: String, _ known: [String], _ sentence: String?
  ) {
    #expect(Suggestion.sentence(for: word, orListing: known) == sentence)
  }

  @Test func `Of very many names the first are listed, and the others are counted`() {
    let names = (1...100).map { "Layer of number \($0)" }
    let sentence = Suggestion.sentence(for: "x", orListing: names)
    #expect(sentence?.hasSuffix("\"Layer of number 20\" and 80 more.") == true)
  }

  @Test func `The fields of a layer are shown by a command that takes files and stored maps`() {
    let error = FeatureStoreError.noSuchField(name: "X", table: "Trails")
    #expect(
      Problem(error).commandAdvice
        == "\"features FILE --layer NAME --limit 1\" shows the fields of a layer.")
  }

  @Test func `The list of jobs is named once`() {
    let problem = Problem(JobError.unknown("casco"))
    #expect(problem.commandAdvice == "\"jobs\" lists the jobs.")
  }

  @Test(arguments: [(true, "\n"), (false, "\nportolan ")])
  func `Lines to type begin with the name of the program at the shell only`(
    _ isPrompt: Bool, _ beginning: String
  ) async {
    let console = TranscriptConsole()
    var session = Session(
      console: console, options: GlobalOptions(),
      app: AppModel(opener: NoPackages(), files: StubFiles()), sample: WrittenExample())
    session.keepsMap = isPrompt
    _ = await session.interpreter.run("create-package --example 'my town'", in: session)
    #expect(
      console.transcript.contains(
        "\(beginning)create-package 'my town/town.json' 'my town.mmpk'\(beginning)preview "),
      "\(console.transcript)")
  }

  @Test(arguments: [
    (true, "Open one with \"open MAP\", or name one with --map MAP."),
    (false, "Name one with --map MAP."),
  ])
  func `At the shell no map is to be opened that is closed at once`(
    _ isPrompt: Bool, _ advice: String
  ) async {
    let console = TranscriptConsole()
    var session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.standard))
    session.keepsMap = isPrompt
    _ = await session.interpreter.run("toc", in: session)
    #expect(console.transcript.contains("No map is open.\n!   \(advice)"), "\(console.transcript)")
    let loading = session.noWebMapLoaded.suggestion
    #expect(loading?.contains("web-map ID") == isPrompt && loading?.contains("--map MAP") == true)
    let other = session.noMapOpen(atShell: "Give both in a script.")
    #expect(
      other.suggestion == (isPrompt ? "Open one with \"open MAP\"." : "Give both in a script."))
  }
}
