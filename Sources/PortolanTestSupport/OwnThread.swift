internal import Foundation

/// Does what blocks on a thread of its own.
///
/// The threads of tasks are as few as the cores: a test that waits for a process on one of them
/// would keep other tests from continuing, until their time is up.
public func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
