import PortolanApp
import PortolanPackages
import PortolanPortal
import PortolanTransport
import Testing

@Suite struct ProblemTests {
  private static let table: [(any Error, Problem.Kind)] = [
    (PortalError.signInNeeded(host: "a.example"), .signIn),
    (PortalError.notFound("https://a.example/x", nil), .absence),
    (PortalError.transport(.offline), .network), (TransportError.offline, .network),
    (TransportError.unknownHost("a.example"), .network), (PortalError.cancelled, .cancellation),
    (CancellationError(), .cancellation),
  ]

  @Test(arguments: table.indices)
  func `The kind of a problem says what helps`(_ row: Int) {
    let problem = Problem(Self.table[row].0)
    #expect(problem.kind == Self.table[row].1)
    #expect(!problem.message.contains("Error"))
  }
}
