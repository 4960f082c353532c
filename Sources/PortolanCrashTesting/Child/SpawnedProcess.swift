internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A process whose standard output and error are read by this one.
///
/// Foundation's `Process` is not used: it hands descriptors that other threads open meanwhile to the
/// new process, whose end of a pipe then keeps a reader waiting for a process that is long dead.
struct SpawnedProcess {
  /// Its number.
  let id: pid_t
  /// What it writes to its standard output.
  let output: FileHandle
  /// What it writes to its standard error.
  let notes: ProcessNotes

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: The file.
  ///   - arguments: The words after the name of the program.
  ///   - environment: Its whole environment.
  /// - Throws: `POSIXError` if it cannot be started.
  init(_ program: URL, _ arguments: [String], environment: [String: String]) throws {
    let (output, notes) = (try Self.pipe(), try Self.pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output.write.fileDescriptor, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, notes.write.fileDescriptor, STDERR_FILENO)
    let path = program.path(percentEncoded: false)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    let status = posix_spawn(&id, path, &actions, nil, &words, &variables)
    guard status == 0 else { throw POSIXError(.init(rawValue: status) ?? .EIO) }
    try output.write.close()
    try notes.write.close()
    (self.id, self.output, self.notes) = (id, output.read, ProcessNotes(notes.read))
  }

  /// Waits until the process is over.
  ///
  /// - Parameter isOver: Called while its number is still its own.
  /// - Returns: Its exit status, or the signal that killed it.
  func wait(_ isOver: () -> Void) -> (status: Int32, signal: Int32) {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    isOver()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return ((status >> 8) & 0xff, status & 0x7f)
  }

  /// What its threads are waiting for, by the kernel's word.
  static func whereabouts(of id: pid_t) -> String {
    let folder = URL(filePath: "/proc/\(id)/task")
    // A process that is over by now waits for nothing.
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return threads.map { thread in
      ["stat", "wchan", "syscall"].map { name in
        let file = folder.appending(components: thread, name)
        // The thread is over, or the kernel does not say.
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? "?"
        return text.split(separator: " ").prefix(3).joined(separator: " ")
      }.joined(separator: ", ")
    }.joined(separator: "; ")
  }

  /// Two ends of which no process inherits one by itself; Swift sees no `pipe2` to make a pipe of that
  /// kind.
  private static func pipe() throws -> (read: FileHandle, write: FileHandle) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }
}
