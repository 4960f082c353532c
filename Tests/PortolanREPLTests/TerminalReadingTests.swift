import Foundation
import Testing

@testable import PortolanREPL

/// The text read at a terminal where a question is answered.
@Suite(.timeLimit(.minutes(1))) struct TerminalReadingTests {
  @Test func `What Ctrl-C has removed before it was read is not waited for`() throws {
    // The calls that grantpt, unlockpt and ptsname make on Linux; Swift does not see those.
    let (unlock, number) = (UInt(0x4004_5431), UInt(0x8004_5430))
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (isLocked, index): (Int32, UInt32) = (0, 0)
    try #require(master >= 0)
    let codes = [ioctl(master, unlock, &isLocked), ioctl(master, number, &index)]
    try #require(codes == [0, 0])
    let terminal = open("/dev/pts/\(index)", O_RDWR | O_NOCTTY)
    try #require(terminal >= 0)
    defer { close(terminal) }
    #expect(TerminalConsole.typed(at: terminal) == [])
    let written = write(master, "yes\n", 4)
    #expect(written == 4)
    var request = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    _ = poll(&request, 1, 60_000)
    #expect(TerminalConsole.typed(at: terminal) == Array("yes\n".utf8))
    close(master)
    #expect(TerminalConsole.typed(at: terminal) == nil)
  }
}
