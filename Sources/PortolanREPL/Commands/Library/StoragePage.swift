internal import Foundation
internal import PortolanApp
internal import PortolanJSON

/// The space used, as text and as JSON.
struct StoragePage {
  let usage: StorageUsage
  /// The damaged caches of tiles that were set aside.
  var tileCaches: [SetAsideTileCache] = []

  private var stored: [StorageUsage.Map] { usage.maps.filter { $0.deleted == nil } }

  private var deleted: [StorageUsage.Map] { usage.maps.filter { $0.deleted != nil } }

  var text: TextDocument {
    var blocks: [TextDocument.Block] = [
      stored.isEmpty ? .line("No maps are stored.") : table(stored, "map")
    ]
    if !deleted.isEmpty {
      blocks += [
        .blank, table(deleted, "deleted"),
        .paragraph("\"undo\" restores the last of these.", indent: 0),
      ]
    }
    if !usage.earlierVersions.isEmpty {
      blocks += [
        .blank, table(usage.earlierVersions, "before update"),
        .paragraph("\"rollback MAP\" restores one of these.", indent: 0),
      ]
    }
    let aside = TileCacheText.setAside(tileCaches)
    return TextDocument(
      blocks + messages + [.blank, .fields(fields)] + (aside.isEmpty ? [] : [.blank] + aside))
  }

  /// The messages that are still to be sent to servers.
  private var messages: [TextDocument.Block] {
    guard !usage.messages.isEmpty else { return [] }
    return [.blank, .line("Messages to servers are pending:")]
      + usage.messages.map { message in
        .paragraph("\(message.host): \(message.purpose)\(Self.state(of: message))", indent: 2)
      }
  }

  /// The reason why a message has not arrived, after its description.
  private static func state(of message: StorageUsage.Message) -> String {
    switch (message.givenUp, message.silences) {
    case (let reason?, .some):
      " Deferred until you sign in or connect to another network. \(reason)"
    case (let reason?, nil): " Deferred until you sign in. \(reason)"
    case (nil, let count?): " No answer yet after \(count) \(count == 1 ? "attempt" : "attempts")."
    case (nil, nil): ""
    }
  }

  private func table(_ maps: [StorageUsage.Map], _ title: String) -> TextDocument.Block {
    let columns = ["size", "on disk", "frees"].map {
      TextTable.Column($0, .right, mayBeCut: false)
    }
    return .table(
      TextTable(
        [.id, .init(title)] + columns,
        rows: maps.map { map in
          [
            map.id, map.title + edits(in: map), ByteCount.text(map.size.byteCount),
            ByteCount.text(map.size.allocatedByteCount), ByteCount.text(map.reclaimableByteCount),
          ]
        }))
  }

  /// Edits that no service has received, which go with a deleted map when the trash is emptied.
  private func edits(in map: StorageUsage.Map) -> String {
    UnsentEditsText.suffix(map.unsentEdits)
  }

  private var fields: [TextDocument.Field] {
    let rooms: [(String, Int?)] = [
      ("Downloads under way", usage.downloads.byteCount),
      ("Imports not finished", usage.imports.byteCount == 0 ? nil : usage.imports.byteCount),
      ("Set aside, with edits", usage.kept.byteCount == 0 ? nil : usage.kept.byteCount),
      ("Temporary files", usage.temporary.byteCount),
      ("Everything, on disk", usage.total.allocatedByteCount), ("Free", usage.freeByteCount),
    ]
    return rooms.compactMap { name, count in count.map { .init(name, ByteCount.text($0)) } }
  }

  var json: JSONValue {
    var members = usage.json.object ?? [:]
    members["tileCachesSetAside"] = .array(tileCaches.map(\.json))
    return .object(members)
  }
}
