import Foundation
import PortolanTestSupport
import Testing

/// Commands that are given the root of the disk, which holds millions of files.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10))) struct BoundedWalkTests {
  @Test func `The root of the disk is listed without what lies deep in it`() async throws {
    let output = try await PortolanProcess.run(
      ["inspect", "/", "--json"], home: temporaryDirectory)
    #expect(output.status == 0)
  }
}
