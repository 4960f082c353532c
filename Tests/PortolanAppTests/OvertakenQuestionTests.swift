import Foundation
import PortolanApp
import PortolanGeometry
import PortolanPackages
import Testing

/// Answers that come in another order than they were asked for.
@MainActor
@Suite struct OvertakenQuestionTests {
  @Test func `A package that is overtaken by another is not shown`() async throws {
    let opener = HeldOpener()
    let app = AppModel(opener: opener)
    let slow = Task { try await app.open(URL(filePath: "/slow")) }
    await opener.isAsked()
    await #expect(throws: Problem.self) { try await app.open(URL(filePath: "/other")) }
    await opener.release()
    let result = await slow.result
    #expect(throws: Problem.self) { try result.get() }
    guard case .failed(let problem) = app.package.state else {
      Issue.record("The state is \(app.package.state).")
      return
    }
    #expect(problem.file == "other")
  }

  @Test func `The answer to an older question leaves the newer one as it is`() async throws {
    let map = try MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]]).map([MemoryMap.layer("a")])
    let model = MapModel(map: map)
    await model.load()
    // Tasks of the main actor begin in the order in which it made them.
    let older = Task { await model.identify.identify(longitude: 0, latitude: 0) }
    let newer = Task { await model.identify.identify(longitude: 1, latitude: 1) }
    await older.value
    await newer.value
    #expect(model.identify.state == .found([]))
    #expect(model.popups.state.pages.isEmpty)
  }
}

/// Holds the first opening back until it is released, and refuses everything.
private actor HeldOpener: PackageOpening {
  private var held: CheckedContinuation<Void, Never>?
  private var asked: CheckedContinuation<Void, Never>?
  private var isFirst = true

  nonisolated func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    await wait()
    throw .unreadable(file: url.lastPathComponent, reason: "it is a test")
  }

  private func wait() async {
    guard isFirst else { return }
    isFirst = false
    await withCheckedContinuation { continuation in
      held = continuation
      asked?.resume()
      asked = nil
    }
  }

  /// Waits until something is held back.
  func isAsked() async {
    guard held == nil else { return }
    await withCheckedContinuation { asked = $0 }
  }

  func release() {
    held?.resume()
    held = nil
  }
}
