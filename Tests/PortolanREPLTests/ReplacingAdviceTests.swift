import PortolanApp
import Testing

@testable import PortolanREPL

/// How commands say that something is replaced.
@Suite struct ReplacingAdviceTests {
  @Test(arguments: [(nil, "Replace it with --yes."), ("9f3e", "Replace it with --overwrite.")])
  func `An existing file is replaced with the option that the command has`(
    _ subject: String?, _ advice: String
  ) {
    let problem = Problem(message: "It is there.", actions: [.init(.replace, subject)])
    #expect(problem.commandAdvice == advice)
  }
}
