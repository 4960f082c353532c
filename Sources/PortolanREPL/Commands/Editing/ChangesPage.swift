internal import PortolanApp
internal import PortolanFeatures
internal import PortolanJSON

/// The list of changes as text and as JSON.
struct ChangesPage {
  let changes: EditingModel.Changes

  var text: TextDocument {
    var blocks: [TextDocument.Block] = []
    if let date = changes.lastSync.flatMap(CivilDate.init) {
      blocks.append(.line("Synchronized last on \(date.iso8601)."))
    }
    guard !changes.all.isEmpty else {
      return TextDocument(blocks + [.line("There are no changes.")] + notes)
    }
    let rows = changes.tables.flatMap { table in
      table.changes.map { change in
        [
          table.layerTitle, "\(change.objectID)", change.kind?.rawValue ?? "",
          change.attachments.map { "\($0.kind.rawValue) \($0.id)" }.joined(separator: ", "),
        ]
      }
    }
    blocks.append(.line(changes.count.text + ":"))
    blocks.append(
      .table(
        TextTable(
          [.init("layer"), .init("id", .right), .init("change"), .init("attachments")], rows: rows))
    )
    return TextDocument(blocks + notes)
  }

  /// Notes on changes that cannot be known.
  private var notes: [TextDocument.Block] {
    let titles = changes.tables.filter { !$0.hasHistory }.map { "\"\($0.layerTitle)\"" }
    guard !titles.isEmpty else { return [] }
    let verb = titles.count == 1 ? "keeps" : "keep"
    return [
      .paragraph(
        "Note: \(titles.joined(separator: ", ")) \(verb) no history; only edits made with Portolan "
          + "are known.", indent: 0)
    ]
  }

  var json: JSONValue { changes.json }
}

extension LocalChange {
  /// The change to a feature of a layer with that title, in a few words.
  func sentence(in layer: String) -> String {
    let feature = "feature \(objectID) of \"\(layer)\""
    return switch kind {
    case .add: "\(feature), which had been added"
    case .update: "a change of \(feature)"
    case .delete: "the removal of \(feature)"
    case nil: "a change to the attachments of \(feature)"
    }
  }
}
