import PortolanApp
import Testing

@testable import PortolanREPL

/// The advice of commands that something is replaced.
@Suite struct ReplacingAdviceTests {
  @Test(arguments: [(nil, "Replace it with --yes."), ("9f3e", "Replace it with --overwrite.")])
  func `An existing file is replaced with the option that the command has`(
    _ subject: String?, _ advice: String
  ) {
    let problem = Problem(message: "It is there.", actions: [.init(.replace, subject)])
    #expect(problem.commandAdvice == advice)
  }

  @Test func `Regions that a source is not known to allow are refused with the option for that`() {
    let problem = Problem(
      .bulkForbidden, message: "No.", suggestion: "Ask for permission.",
      actions: [.init(.allowRegions, "tiles.example")])
    #expect(
      problem.commandAdvice
        == "Ask for permission. If its operator allows regions, say so with --allow-bulk.")
  }
}
