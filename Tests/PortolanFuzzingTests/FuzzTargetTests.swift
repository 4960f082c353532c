import Foundation
import PortolanFuzzing
import Testing

@Suite struct FuzzTargetTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func `A parser survives some hundred mutated inputs`(_ name: String) async throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    var settings = FuzzSettings()
    settings.iterations = max(4, 400 / target.cost)
    // Other tests use time and memory of the same process.
    settings.patience = 1e6
    settings.memoryLimit = .max
    let report = try await FuzzRun(target, settings).run()
    #expect(report.finding == nil, "\(report)")
    #expect(report.inputs == settings.iterations)
    #expect(report.accepted > 0)
  }

  @Test func `An input depends on its number and the seed only`() throws {
    let target = try #require(FuzzTarget.all.first)
    var settings = FuzzSettings()
    let first = try FuzzRun(target, settings)
    let second = try FuzzRun(target, settings)
    #expect((0..<50).map(first.input) == (0..<50).map(second.input))
    settings.seed = 2
    let other = try FuzzRun(target, settings)
    #expect((0..<50).map(first.input) != (0..<50).map(other.input))
  }
}
