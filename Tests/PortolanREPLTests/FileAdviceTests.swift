import PortolanApp
import Testing

@testable import PortolanREPL

/// How commands say what takes a file that is of another kind than was thought.
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

  @Test func `A file that is known is opened by its name`() {
    let problem = Problem(message: "It is another.", actions: [.init(.openFile, "my data.mmpk")])
    #expect(problem.commandAdvice == "\"open 'my data.mmpk'\" opens it.")
  }
}
