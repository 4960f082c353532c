import Foundation
import Synchronization

/// Calls closures when the process is asked to stop, instead of ending it there and then.
struct Signals {
  private let sources: [any DispatchSourceSignal]

  init(
    onInterrupt: @escaping @Sendable () -> Void,
    onTermination: @escaping @Sendable (_ number: Int32) -> Void
  ) {
    sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if number == SIGINT { onInterrupt() } else { onTermination(number) }
      }
      source.activate()
      return source
    }
  }

  func stop() {
    for source in sources { source.cancel() }
  }
}

/// The signal that asked the process to end.
final class Termination: Sendable {
  private let noted = Mutex<Int32?>(nil)

  /// Its number; `nil` if there was none.
  var number: Int32? { noted.withLock(\.self) }

  /// Notes a signal.
  ///
  /// - Returns: Whether it is the first.
  func note(_ number: Int32) -> Bool {
    noted.withLock { noted in
      defer { noted = noted ?? number }
      return noted == nil
    }
  }
}
