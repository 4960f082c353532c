import Foundation
import PortolanTestSupport

/// A terminal without a screen, on which a program believes to run.
final class PseudoTerminal {
  private let master: Int32
  /// The end that the program gets.
  let program: FileHandle
  /// Everything the program has shown so far.
  private(set) var shown = ""

  init() throws {
    // The calls that grantpt, unlockpt and ptsname make on Linux; Swift does not see those.
    let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, index): (Int32, UInt32) = (0, 0)
    guard master >= 0, ioctl(master, unlock, &isLocked) == 0, ioctl(master, number, &index) == 0
    else { throw POSIXError(.ENXIO) }
    let descriptor = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY)
    guard descriptor >= 0 else { throw POSIXError(.ENXIO) }
    program = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var size = winsize(ws_row: 40, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  deinit { close(master) }

  /// Presses keys.
  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Waits until the program has shown `text` after what was waited for before.
  ///
  /// Returns what it showed until then, or `nil` if it ended without or is silent for long.
  func wait(for text: String) async throws -> String? {
    while !shown.contains(text) {
      let master = master
      guard let piece = try await onOwnThread({ Self.read(master) }) else { return nil }
      shown += piece
    }
    guard let range = shown.range(of: text) else { return nil }
    defer { shown = String(shown[range.upperBound...]) }
    return String(shown[..<range.upperBound])
  }

  private static func read(_ master: Int32) -> String? {
    var request = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 60_000) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(master, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
