import Foundation

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
