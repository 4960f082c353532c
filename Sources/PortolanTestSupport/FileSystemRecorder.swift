public import PortolanFiles
internal import PortolanLocks

/// Records the system calls of a ``FileSystem`` in their order, and lets chosen ones fail.
///
/// All other calls are made for real.
public final class FileSystemRecorder: Sendable {
  private struct State {
    var calls: [FileSystemCall] = []
    var matchCount = 0
  }

  private let state = Locked(State())
  private let matches: @Sendable (FileSystemCall) -> Bool
  private let failing: Range<Int>
  private let code: Int32

  /// Creates a recorder that lets nothing fail.
  public convenience init() {
    self.init(failing: 0..<0, code: 0)
  }

  /// Creates a recorder some of whose calls fail.
  ///
  /// - Parameters:
  ///   - failing: Which of the calls that match fail, counted from 0.
  ///   - code: The `errno` that they fail with.
  ///   - matches: Which calls are counted; by default all.
  public init(
    failing: Range<Int>, code: Int32,
    where matches: @escaping @Sendable (FileSystemCall) -> Bool = { _ in true }
  ) {
    self.failing = failing
    self.code = code
    self.matches = matches
  }

  /// The file system to hand to what is tested.
  public var fileSystem: FileSystem { FileSystem { self.record($0) } }

  /// The calls so far, in their order.
  public var calls: [FileSystemCall] { state.withLock(\.calls) }

  private func record(_ call: FileSystemCall) -> Int32? {
    let isMatch = matches(call)
    return state.withLock { state in
      state.calls.append(call)
      guard isMatch else { return nil }
      defer { state.matchCount += 1 }
      return failing.contains(state.matchCount) ? code : nil
    }
  }
}
