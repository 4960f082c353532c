internal import Foundation

/// A value that one thread at a time may read and change.
///
/// Does what `Mutex` of the standard library does, over a lock of the system. On Linux the thread
/// sanitizer does not see into `Mutex`, and reports whatever several threads do inside its
/// `withLock` as a race; it knows this one. Read, write and return under it: nothing else.
@safe
public final class Locked<Value>: Sendable {
  /// Both live as long as this object, at one address; the first guards the second.
  private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

  /// Guards `value`.
  public init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe self.value = .allocate(capacity: 1)
    unsafe self.value.initialize(to: value)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe value.deinitialize(count: 1)
    unsafe value.deallocate()
  }

  /// Lends the value to `body`, which no other call runs beside.
  ///
  /// - Parameter body: Reads and changes the value; must not call this again.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value.pointee)
  }
}
