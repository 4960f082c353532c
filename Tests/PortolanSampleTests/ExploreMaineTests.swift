import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

@testable import PortolanSample

@Suite(.temporaryDirectory) struct ExploreMaineTests {
  @Test func `The sample has the same bytes every time`() async throws {
    let (first, second) = (
      temporaryDirectory.appending(path: "a.mmpk"), temporaryDirectory.appending(path: "b.mmpk")
    )
    try await ExploreMaine.write(to: first)
    try await ExploreMaine.write(to: second)
    #expect(try Data(contentsOf: first) == Data(contentsOf: second))
  }
}
