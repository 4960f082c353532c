internal import Foundation
internal import PortolanArchives

/// Archives and compressed data, by the project's own writers.
enum ArchiveSeeds {
  private static let entries: [(name: String, data: Data)] = [
    ("p13/mobile_map.mmap", Data(#"{"maps":["main.mmap"]}"#.utf8)),
    ("p13/é.json", Data(String(repeating: "[1,2,3],", count: 40).utf8)), ("empty", Data()),
  ]

  /// Stored, compressed and mixed archives, one of nothing, one in which the format leaves readers
  /// choices, and archives that something precedes.
  static func archives() throws -> [Data] {
    let mixed = try write(entries) { $0 == 1 ? .deflated(level: 9) : .stored }
    return try [
      write(entries) { _ in .stored }, write(entries) { _ in .deflated(level: 6) }, mixed,
      write([]) { _ in .stored }, streamed, Data("#!/bin/sh\n".utf8) + mixed,
    ]
  }

  /// What Python's zipfile writes to a pipe: sizes behind the contents, 64-bit numbers, a name in an
  /// extra field, a comment.
  private static var streamed: Data {
    let text = """
      UEsDBC0ACAAIAAAAIQAAAAAA//////////8BABQAYQEAEAAAAAAAAAAAAAAAAAAAAAAAS87PK0nNK1FIppAGAFBLBwic
      tpj4DQAAAAAAAABIAAAAAAAAAFBLAwQUAAgAAAAAACEAAAAAAAAAAAAAAAAAAQAPAGJ1cAsAAfnvvnHlnLDlm7NzdG9y
      ZWRQSwcIC/lDVgYAAAAGAAAAUEsDBBQACAAIAAAAIQAAAAAAAAAAAAAAAAABAAAAYysuKUpNzE1NAQBQSwcIYxsi2QoA
      AAAIAAAAUEsBAi0DLQAIAAgAAAAhAJy2mPgNAAAASAAAAAEAAAAAAAAAAAAAAIABAAAAAGFQSwECFAMUAAgAAAAAACEA
      C/lDVgYAAAAGAAAAAQAPAAAAAAAAAAAAgAFYAAAAYnVwCwAB+e++ceWcsOWbs1BLAQIUAxQACAAIAAAAIQBjGyLZCgAA
      AAgAAAABAAAAAAAAAAAAAACAAZwAAABjUEsFBgAAAAADAAMAnAAAANUAAAAEAG5vdGU=
      """
    return Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
  }

  /// One member, two, and one of nothing.
  static func compressed() throws -> [Data] {
    let members = try entries.map { try Gzip.compress($0.data) }
    return members + [members[0] + members[1], try Gzip.compress(Data(count: 5000), level: 1)]
  }

  private static func write(
    _ entries: [(name: String, data: Data)], _ method: (Int) -> ZIPWriter.Method
  ) throws -> Data {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    var writer = try ZIPWriter(replacing: file)
    for (index, entry) in entries.enumerated() {
      try writer.add(entry.name, entry.data, method: method(index))
    }
    try writer.finish()
    let data = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    return data
  }
}
