import PortolanApp
import PortolanPackages
import PortolanTiles
import Testing

@testable import PortolanREPL

/// The advice of commands on a file that is of another kind than was thought.
@MainActor
@Suite struct FileAdviceTests {
  @Test(arguments: [
    (
      NextAction.Kind.importTiles,
      "\"open FILE\" shows its tiles, and \"tiles import FILE\" imports them as a region."
    ),
    (
      .readFeatures,
      "\"inspect FILE\" lists its layers, and \"convert\" writes them to another file."
    ),
  ])
  func `The command that takes a file replaces the sentence for every shell`(
    _ kind: NextAction.Kind, _ advice: String
  ) {
    let problem = Problem(
      message: "It is another.", suggestion: kind.sentence, actions: [.init(kind)])
    #expect(problem.commandAdvice == advice)
  }

  @Test(
    arguments: [
      TileError.noTiles(file: "a.tpkx"),
      PackageError.notAPackage(file: "a.mmpk", reason: "it is none"),
    ] as [any Error])
  func `A file that holds something else is inspected, unless that has just failed`(
    _ error: any Error
  ) async {
    #expect(Problem(error).commandAdvice == "\"inspect\" lists what a file holds.")
    let text = await transcript(
      of: ["inspect a.bin"], commands: .standard, files: StubFiles(failure: error))
    #expect(text.contains("Check that it is the right file") && !text.contains("\"inspect\""))
  }

  @Test func `A file for which there are no tiles is not there to be inspected`() {
    let problem = Problem(TileError.nothingToWrite(file: "out.pmtiles"))
    #expect(problem.message == "out.pmtiles was not made: there are no tiles for it.")
    #expect(problem.commandAdvice?.contains("inspect") == false)
  }

  @Test func `Edits that no service takes are kept with the command that writes the map`() {
    let problem = Problem(
      message: "It holds an edit.",
      suggestion: "No service takes them. \(NextAction.Kind.exportMap.sentence)",
      actions: [.init(.exportMap, "Casco Bay")])
    #expect(
      problem.commandAdvice
        == "No service takes them. Keep them in a file, with \"export 'Casco Bay' FILE\".")
  }

  @Test func `A file that is known is opened by its name`() {
    let problem = Problem(message: "It is another.", actions: [.init(.openFile, "my data.mmpk")])
    #expect(problem.commandAdvice == "\"open 'my data.mmpk'\" opens it.")
  }
}
