internal import Dispatch
internal import Foundation
internal import Synchronization

/// A thread for calls that may wait for a person, with a limit to how long anyone waits for them.
struct LimitedQueue: Sendable {
  private let queue: DispatchQueue
  private let seconds: Int

  /// Creates a queue whose calls are waited for `seconds` at most.
  init(_ label: String, seconds: Int) {
    queue = DispatchQueue(label: label)
    self.seconds = seconds
  }

  /// Does `work` after all that was requested before.
  ///
  /// - Parameters:
  ///   - late: What to fail with when the limit has passed.
  ///   - onLimit: Called then, to end the work; what it still causes is not waited for.
  ///   - work: The call.
  /// - Returns: What the call returns.
  /// - Throws: What the call throws, or `late`.
  func run<Value: Sendable, Failure: Error>(
    orFail late: Failure, onLimit: @escaping @Sendable () -> Void,
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
      let once = OneShotContinuation(continuation)
      queue.async {
        do throws(Failure) {
          once.resume(.success(try work()))
        } catch {
          once.resume(.failure(error))
        }
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
        if once.resume(.failure(late)) { onLimit() }
      }
    }
    return try result.get()
  }
}

/// Resumes a continuation with the first of several results.
private final class OneShotContinuation<Value: Sendable, Failure: Error>: Sendable {
  private let waiter: Mutex<CheckedContinuation<Result<Value, Failure>, Never>?>

  init(_ continuation: CheckedContinuation<Result<Value, Failure>, Never>) {
    waiter = Mutex(continuation)
  }

  /// Resumes with a result; whether it was the first.
  @discardableResult func resume(_ result: Result<Value, Failure>) -> Bool {
    let waiter = waiter.withLock { waiter in
      defer { waiter = nil }
      return waiter
    }
    waiter?.resume(returning: result)
    return waiter != nil
  }
}
