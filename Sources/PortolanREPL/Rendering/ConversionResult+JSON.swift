internal import Foundation
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanJSON

extension ConversionResult {
  /// What `convert` tells programs.
  func json(of output: URL) -> JSONValue {
    [
      "target": .string(output.relativePath), "size": .integer(Int64(size)),
      "complete": .bool(isComplete),
      "tables": .array(tables.map(\.json)), "tiles": .array(tileSets.map(\.json)),
      "copied": .array(copiedFiles.map { .string($0) }),
      "omitted": .array(omissions.map(\.json)),
      "notes": .array(notes.map { .string($0) }),
      "failureCount": .integer(Int64(failureCount)),
      "failures": .array(failures.map(\.json)),
    ]
  }
}

extension ConversionResult.Table {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "source": .string(source),
      "file": file.map { .string($0) } ?? .null,
      "read": .integer(Int64(readCount)), "written": .integer(Int64(writtenCount)),
      "attachments": .integer(Int64(attachmentCount)),
    ]
  }
}

extension ConversionResult.TileSet {
  fileprivate var json: JSONValue {
    [
      "name": .string(name), "file": file.map { .string($0) } ?? .null,
      "levels": .array(
        counts.sorted { $0.key < $1.key }.map {
          ["level": .integer(Int64($0)), "count": .integer(Int64($1))]
        }),
    ]
  }
}

extension ConversionResult.Failure {
  fileprivate var json: JSONValue {
    [
      "part": .string(part), "item": item.map { .string($0) } ?? .null,
      "reason": .string(reason),
    ]
  }
}

extension Omission {
  fileprivate var json: JSONValue {
    ["table": .string(table), "what": .string(content.summary)]
  }
}
