import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanRendering

/// The rendering cases of the style specification, compared among inked pixels.
///
/// `__Snapshots__/style-rendering.txt` has the share that may differ for each; no case may get
/// worse. `RECORD_SNAPSHOTS=1` rewrites it and the table in Docs/STYLE-SPECIFICATION.md;
/// `PORTOLAN_PICTURES` may name a folder for the pictures, to look at them beside the expected ones.
@Suite(.needsSharedFiles) struct StyleRenderingTests {
  /// Shares up to this agree.
  static let tolerance = 0.05
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let record = folder.appending(path: "__Snapshots__/style-rendering.txt")
  private static let isRecording =
    ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1"

  private static let recorded: [String: Double] = {
    // Without the record, every case is one too many.
    let text = (try? String(contentsOf: record, encoding: .utf8)) ?? ""
    return Dictionary(
      text.split(separator: "\n").compactMap { line -> (String, Double)? in
        let parts = line.split(separator: " ", maxSplits: 1)
        return parts.count == 2 ? Double(parts[0]).map { (String(parts[1]), $0) } : nil
      }, uniquingKeysWith: { first, _ in first })
  }()

  @Test func `All cases are there`() { #expect(RenderingFixture.all.count >= 300) }

  @Test(.enabled(if: !isRecording), arguments: RenderingFixture.all.map(\.name))
  func `A style gives a picture no further from the expected one than recorded`(
    _ name: String
  ) async throws {
    let fixture = try #require(RenderingFixture.all.first { $0.name == name })
    let limit = try #require(Self.recorded[name], "not recorded")
    let share = try await fixture.difference().share
    // Text in fonts of this machine may be set a little differently.
    #expect(share <= limit + 0.01)
  }

  @Test(.enabled(if: isRecording)) func `The cases are recorded`() async throws {
    var rows: [(fixture: RenderingFixture, share: Double, reasons: [String])] = []
    for fixture in RenderingFixture.all {
      let (share, reasons) = try await fixture.difference()
      rows.append((fixture, (share * 10_000).rounded(.up) / 10_000, reasons))
    }
    let lines = rows.map { "\($0.share) \($0.fixture.name)" }
    try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.record)
    let table = StyleRenderingTable(
      rows.map {
        .init(
          property: $0.fixture.property, name: $0.fixture.name, share: $0.share, reasons: $0.reasons
        )
      })
    try Data(table.text.utf8).write(
      to: Self.folder.appending(path: "../../Docs/STYLE-SPECIFICATION.md"))
  }
}

/// The document that says how far the cases agree.
struct StyleRenderingTable {
  struct Row {
    var property: String
    var name: String
    var share: Double
    var reasons: [String]

    var agrees: Bool { share < StyleRenderingTests.tolerance }
  }

  let text: String

  init(_ rows: [Row]) {
    let groups = Dictionary(grouping: rows, by: \.property).sorted { $0.key < $1.key }
    let table = groups.map { property, rows in
      "| `\(property)` | \(rows.filter(\.agrees).count) of \(rows.count) |"
    }
    let others = rows.filter { !$0.agrees }.map { row in
      let percent = (row.share * 1000).rounded() / 10
      return "| `\(row.name)` | \(percent) % | \(Self.reason(row)) |"
    }
    text = """
      # The style specification

      Made by the tests of rendering (`RECORD_SNAPSHOTS=1`); not to be edited by hand.

      All 442 expression cases of the specification are refused or give the values that it says
      (`Tests/PortolanExpressionsTests`). Of \(rows.count) rendering cases, \(rows.filter(\.agrees).count) agree with the expected
      picture: less than 5 % of the inked pixels differ by more than 64 of 255. What each may differ by
      stands in `Tests/PortolanRenderingTests/__Snapshots__/style-rendering.txt`, and is asserted.

      ## By property

      | property | agree |
      |---|--:|
      \(table.joined(separator: "\n"))

      ## Cases that differ

      The reason is what the drawing reported of the case, else what was found by looking at it.

      | case | differs | reason |
      |---|--:|---|
      \(others.joined(separator: "\n"))

      """
  }

  private static func reason(_ row: Row) -> String {
    guard row.reasons.isEmpty else {
      return row.reasons.prefix(2).joined(separator: " ").replacing("|", with: "\\|")
    }
    return StyleRenderingReasons.reason(row.name)
  }
}
