internal import CEdit
internal import Foundation
internal import PortolanFiles

/// The lines that were typed at the prompts of several processes, in a file.
struct HistoryFile {
  /// The file; its folder is there.
  let url: URL
  /// The maximum number of lines kept.
  let length: Int32

  /// The number of attempts to take the lock, which others hold for some milliseconds.
  private static let attempts = 100
  private static let pause = 0.002

  /// Keeps a line beside those that this and other processes have kept; where it cannot be kept, all others
  /// stay.
  func add(_ line: String) {
    guard let lock = lock(), let lines = unsafe history_init() else { return }
    defer {
      unsafe history_end(lines)
      lock.release()
    }
    unsafe cedit_history_number(lines, H_SETSIZE, length)
    unsafe cedit_history_number(lines, H_SETUNIQUE, 1)
    let isRead = unsafe cedit_history_text(lines, H_LOAD, url.path(percentEncoded: false)) >= 0
    guard isRead || isEmpty else { return }
    unsafe cedit_history_text(lines, H_ENTER, line)
    do {
      let file = try StagedFile(replacing: url, permissions: 0o600)
      let path = file.temporaryURL.path(percentEncoded: false)
      let count = unsafe cedit_history_text(lines, H_SAVE, path)
      guard count > 0, Self.lineCount(of: path) == count else { return }
      try file.commit()
    } catch {
      // It is known at this prompt, as long as that lasts.
    }
  }

  /// Whether nothing is in the file yet; one that cannot be looked at may hold lines.
  private var isEmpty: Bool {
    do { return try FileStatus(at: url)?.byteCount ?? 0 == 0 } catch { return false }
  }

  /// The lines in a file: the library does not say where it could not write all of them, as on a full disk.
  private static func lineCount(of path: String) -> Int32 {
    guard let lines = unsafe history_init() else { return 0 }
    defer { unsafe history_end(lines) }
    return unsafe cedit_history_text(lines, H_LOAD, path)
  }

  /// Keeps other prompts from writing; `nil` where that is not possible, or one of them stands still.
  private func lock() -> FileLock? {
    let file = url.deletingLastPathComponent().appending(path: ".history.lock")
    for _ in 1...Self.attempts {
      do {
        if let lock = try FileLock.attempt(.exclusive, on: .lockFile(file)) { return lock }
      } catch {
        return nil
      }
      Thread.sleep(forTimeInterval: Self.pause)
    }
    return nil
  }
}
