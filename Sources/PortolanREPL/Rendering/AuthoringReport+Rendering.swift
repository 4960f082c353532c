internal import Foundation
internal import PortolanApp
internal import PortolanJSON

extension AuthoringStep {
  /// A report for people and for programs.
  @Sendable static func shown(_ progress: AuthoringStep) -> (text: String, json: JSONValue) {
    (progress.text, progress.json)
  }

  /// A passing line for people.
  var text: String {
    switch self {
    case .opening: "Opening the data"
    case .features(let progress): progress.text
    case .maps: "Drawing the maps"
    case .packing: "Putting the package together"
    }
  }
}

extension AuthoringReport {
  /// The most failures that are printed; JSON has more.
  private static let mostPrinted = 20

  /// The output of `create-package` as text.
  func text(of output: URL) -> TextDocument {
    var blocks: [TextDocument.Block] = [
      .heading("\(output.relativePath), \(ByteCount.text(size))"), .line(title), .blank,
      .table(
        TextTable(
          [.init("map"), .init("layers", .right), .init("bookmarks", .right)],
          rows: maps.map { [$0.title, "\($0.layerCount)", "\($0.bookmarkCount)"] })),
    ]
    if !tables.isEmpty {
      blocks += [
        .blank,
        .table(
          TextTable(
            [.init("table"), .init("features", .right)],
            rows: tables.map { [$0.name, "\($0.writtenCount)"] })),
      ]
    }
    if !notes.isEmpty { blocks += [.blank, .heading("Note")] }
    blocks += notes.map { .paragraph($0, indent: 2) }
    guard failureCount > 0 else { return TextDocument(blocks) }
    let shown = failures.prefix(Self.mostPrinted)
    blocks += [.blank, .heading("Could not be taken over: \(failureCount)")]
    blocks += shown.map { .paragraph($0, indent: 2) }
    if failureCount > shown.count {
      blocks.append(.line("  and \(failureCount - shown.count) more"))
    }
    return TextDocument(blocks)
  }

  /// Remarks on a package that is shown, a line each.
  var remarks: [String] {
    guard failureCount > 0 else { return notes }
    let shown = failures.prefix(Self.mostPrinted)
    let rest = failureCount - shown.count
    return notes + ["Could not be taken over: \(failureCount)"] + shown.map { "  " + $0 }
      + (rest > 0 ? ["  and \(rest) more"] : [])
  }
}
