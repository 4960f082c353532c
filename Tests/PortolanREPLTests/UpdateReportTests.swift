import Foundation
import PortolanJSON
import Testing

@testable import PortolanApp
@testable import PortolanREPL

/// The reports of "update" and "updates" on maps that no portal has newer versions of.
@Suite struct UpdateReportTests {
  private static let hint = "\"sync MAP\""

  private static func update(
    comesWithSync: Bool?, _ freshness: MapUpdate.Freshness = .untracked
  ) -> MapUpdate {
    var update = MapUpdate(
      id: "a", title: "A", installed: Date(timeIntervalSince1970: 0), storedModified: nil,
      portalModified: nil, freshness: freshness)
    update.comesWithSync = comesWithSync
    return update
  }

  private static func text(_ document: TextDocument) -> String {
    TextLayout(width: 200, usesColor: false).text(of: document)
  }

  @Test(arguments: [true, false, nil])
  func `A map that services made points to the command that synchronizes, once`(
    _ comesWithSync: Bool?
  ) throws {
    let update = Self.update(comesWithSync: comesWithSync)
    var report = UpdateReport()
    for _ in 1...2 {
      report.note(
        try #require(MapUpdateResult(unchanged: update)), comesWithSync: comesWithSync == true)
    }
    guard case .document(let text, _) = report.result.body else {
      Issue.record("there is no text")
      return
    }
    let hints = Self.text(text).components(separatedBy: Self.hint).count - 1
    #expect(hints == (comesWithSync == true ? 1 : 0))
    let page = Self.text(UpdatesPage(updates: [update, update]).text)
    #expect(page.contains(Self.hint) == (comesWithSync == true))
  }

  @Test(arguments: [
    (true, 1, ExitCode.noNetwork), (false, 1, .partlyDone), (false, 2, .partlyDone),
    (true, 0, .done),
  ])
  func `The update of one map ends as the map did, that of several in part`(
    _ isOfOne: Bool, _ failures: Int, _ status: ExitCode
  ) throws {
    let problem = Problem(message: "There is no network.", kind: .network)
    let update = Self.update(comesWithSync: nil, .unknown(problem))
    var report = UpdateReport()
    report.isOfOne = isOfOne
    let current = Self.update(comesWithSync: nil, .current)
    if failures == 0 { report.note(try #require(MapUpdateResult(unchanged: current))) }
    for _ in 0..<failures {
      report.note(MapUpdateResult(update, failed: problem), failure: Failure(problem))
    }
    #expect(report.result.status == status)
  }

  @Test func `A map that could not be updated is reported with what to do about it`() throws {
    let failure = Failure(
      .beingEdited, "\"A\" waits until it is no longer edited by process 7 (portolan).",
      suggestion: "Close it there: its edits are kept. Continue with \"resume 12345678\".")
    var report = UpdateReport()
    report.note(
      MapUpdateResult(
        Self.update(comesWithSync: nil, .available), failed: Problem(message: failure.message)),
      failure: failure)
    report.note(try #require(MapUpdateResult(unchanged: Self.update(comesWithSync: nil, .current))))
    guard case .document(let text, let json) = report.result.body else {
      Issue.record("there is no text")
      return
    }
    let entries = json.object?["updates"]?.array ?? []
    #expect(entries.first?.object?["suggestion"]?.string == failure.suggestion)
    #expect(entries.last?.object?["suggestion"] == JSONValue.null)
    #expect(
      Self.text(text).contains(
        """
        Not updated: "A" waits until it is no longer edited by process 7 (portolan).
          Close it there: its edits are kept. Continue with "resume 12345678".
        """))
  }

  @Test(arguments: [true, false])
  func `Scheduled updates that a map does not receive are reported, with how to get them`(
    _ comesWithSync: Bool
  ) throws {
    var update = MapUpdate(
      id: "a", title: "Casco Bay", installed: Date(timeIntervalSince1970: 0), storedModified: nil,
      portalModified: nil, freshness: .current)
    update.scheduled = .init(count: 1, byteCount: 2_000, comesWithSync: comesWithSync)
    let page = Self.text(UpdatesPage(updates: [update]).text)
    #expect(page.contains("scheduled, 2 kB"))
    let advice = "download 'Casco Bay' --update-mode downloadScheduledUpdates"
    #expect(page.contains(advice) != comesWithSync)
    let message = try #require(MapUpdateResult(unchanged: update)?.message)
    #expect(message.contains("without updates") != comesWithSync)
    var report = UpdateReport()
    report.note(try #require(MapUpdateResult(unchanged: update)))
    report.advise(UpdatesPage.takingScheduled(of: update, isTold: true))
    guard case .document(let text, _) = report.result.body else {
      Issue.record("there is no text")
      return
    }
    let told = Self.text(text).components(separatedBy: "was downloaded without updates").count - 1
    #expect(told == (comesWithSync ? 0 : 1))
    #expect(Self.text(text).contains("Nothing was downloaded"))
    #expect(Self.text(text).contains("\"sync 'Casco Bay'\" receives it.") == comesWithSync)
  }
}
