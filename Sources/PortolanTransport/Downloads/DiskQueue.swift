internal import Dispatch

/// Runs what waits for a disk, away from the threads that tasks share.
enum DiskQueue {
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(TransportError) -> Value
  ) async throws(TransportError) -> Value {
    let result: Result<Value, TransportError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Result(catching: work))
      }
    }
    return try result.get()
  }
}
