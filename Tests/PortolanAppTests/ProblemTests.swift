import PortolanPackages
import PortolanPortal
import PortolanTransport
import Testing

@testable import PortolanApp

@Suite struct ProblemTests {
  private static let table: [(any Error, Problem.Kind)] = [
    (PortalError.signInNeeded(host: "a.example"), .signIn),
    (PortalError.notFound("https://a.example/x", nil), .absence),
    (PortalError.transport(.offline), .network), (TransportError.offline, .network),
    (TransportError.unknownHost("a.example"), .network), (PortalError.cancelled, .cancellation),
    (CancellationError(), .cancellation),
  ]

  @Test(arguments: [(1, "There is only one."), (2, "Choose one from 1 to 2.")])
  func `Where there is only one, nobody is asked to choose from 1 to 1`(
    _ count: Int, _ sentence: String
  ) {
    #expect(count.choiceOfNumbers == sentence)
  }

  @Test(arguments: table.indices)
  func `The kind of a problem says what helps`(_ row: Int) {
    let problem = Problem(Self.table[row].0)
    #expect(problem.kind == Self.table[row].1)
    #expect(!problem.message.contains("Error"))
  }
}
