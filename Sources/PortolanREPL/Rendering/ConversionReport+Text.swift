internal import Foundation
internal import PortolanApp

extension ConversionReport {
  /// The output of `convert` as text.
  func text(of output: URL) -> TextDocument {
    var blocks: [TextDocument.Block] = [
      .heading("\(output.relativePath), \(ByteCount.text(size))")
    ]
    if !tables.isEmpty { blocks += [.blank, .table(tableOfTables)] }
    for tileSet in tileSets { blocks += tileSet.blocks }
    if !copiedFiles.isEmpty {
      blocks += [.blank, .heading("Copied as they are")]
      blocks += copiedFiles.map { .line("  \($0)") }
    }
    let left = omissionSentences
    if !left.isEmpty {
      blocks += [.blank, .heading("Left out, since the target does not support it")]
      blocks += left.map { .paragraph($0, indent: 2) }
    }
    if !notes.isEmpty { blocks += [.blank, .heading("Note")] }
    blocks += notes.map { .paragraph($0, indent: 2) }
    return TextDocument(blocks + failureBlocks)
  }

  /// The omissions, a sentence for each table; JSON names every field.
  private var omissionSentences: [String] {
    var tables: [String] = []
    for omission in omissions where tables.last != omission.table { tables.append(omission.table) }
    return tables.map { table in
      let contents = omissions.filter { $0.table == table }
      var words = contents.filter { !$0.isDomain }.map(\.summary)
      let domains = contents.filter(\.isDomain)
      switch domains.count {
      case 0: break
      case 1: words += domains.map(\.summary)
      default: words.append("the limits on the values of \(domains.count) fields")
      }
      return "\"\(table)\": \(words.joined(separator: "; "))."
    }
  }

  /// The most failures that are printed; JSON has more.
  private static let mostPrinted = 20

  private var failureBlocks: [TextDocument.Block] {
    guard failureCount > 0 else { return [] }
    let shown = failures.prefix(Self.mostPrinted)
    var blocks: [TextDocument.Block] = [
      .blank, .heading("Could not be converted: \(failureCount)"),
    ]
    blocks += shown.map { .paragraph($0.summary, indent: 2) }
    if failureCount > shown.count {
      blocks.append(.line("  and \(failureCount - shown.count) more"))
    }
    return blocks
  }

  private var tableOfTables: TextTable {
    let hasFiles = tables.contains { $0.file != nil }
    let hasAttachments = tables.contains { $0.attachmentCount > 0 }
    var columns: [TextTable.Column] = [
      .init("table"), .init("read", .right), .init("written", .right),
    ]
    if hasAttachments { columns.append(.init("attachments", .right)) }
    if hasFiles { columns.append(.init("file")) }
    let rows = tables.map { table in
      [table.name, "\(table.readCount)", "\(table.writtenCount)"]
        + (hasAttachments ? ["\(table.attachmentCount)"] : [])
        + (hasFiles ? [table.file ?? ""] : [])
    }
    return TextTable(columns, rows: rows)
  }
}

extension ConversionReport.TileSet {
  fileprivate var blocks: [TextDocument.Block] {
    let place = file.map { " in \($0)" } ?? ""
    let rows = levels.map { ["\($0.level)", "\($0.count)"] }
    return [
      .blank, .heading("Tiles \"\(name)\"\(place)"),
      .table(TextTable([.init("level", .right), .init("tiles", .right)], rows: rows)),
    ]
  }
}
