internal import Foundation

/// A file that holds the input that the parser has, for the time after a crash.
struct InputKeeper {
  private let file: FileHandle

  init(at url: URL) throws {
    try Data().write(to: url)
    file = try FileHandle(forWritingTo: url)
  }

  /// Not synced: what was written survives the process, if not the machine.
  func keep(_ input: Data) throws {
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: input)
  }
}
