internal import PortolanApp
internal import PortolanJSON

/// The maps that were set aside, as text and as JSON.
struct KeptPage {
  let kept: [StorageModel.Kept]

  var text: TextDocument {
    guard !kept.isEmpty else { return TextDocument("Nothing was set aside.") }
    return TextDocument(
      kept.flatMap { map in
        let title = map.title.map { " (\"\($0)\")" } ?? ""
        let paths = map.geodatabases.isEmpty ? [map.path] : map.geodatabases
        let reason = map.isDeleted ? ", deleted before it was downloaded again" : ""
        return [.line("\(map.name)\(title), \(ByteCount.text(map.byteCount))\(reason)")]
          + paths.map { TextDocument.Block.paragraph($0, indent: 2) }
      })
  }

  var json: JSONValue { ["kept": .array(kept.map(\.json))] }
}
