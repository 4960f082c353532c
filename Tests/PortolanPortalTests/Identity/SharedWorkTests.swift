import Synchronization
import Testing

@testable import PortolanPortal

/// Opens once; whoever waits goes on, and does so at once when cancelled.
final class Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }

  func wait() async { for await _ in stream {} }
}

/// A number that several tasks add to.
private final class Counter: Sendable {
  private let sum = Mutex(0)

  var value: Int { sum.withLock { $0 } }

  func add(_ number: Int) { sum.withLock { $0 += number } }
}

@Suite(.timeLimit(.minutes(5))) struct SharedWorkTests {
  private let work = SharedWork<String, Int>()

  private func waitForWaiters(_ count: Int) async {
    while work.waiters(for: "key") != count { await Task.yield() }
  }

  @Test func `Simultaneous requests share one run`() async {
    let gate = Gate()
    let runs = Counter()
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<100 {
        group.addTask { [work] in
          await work.value(for: "key") {
            runs.add(1)
            await gate.wait()
            return 42
          }
        }
      }
      await waitForWaiters(100)
      gate.open()
      for await value in group { #expect(value == 42) }
    }
    #expect(runs.value == 1)
    #expect(work.waiters(for: "key") == 0)
  }

  @Test func `A cancelled waiter leaves the run to the others`() async {
    let gate = Gate()
    let cancellations = Counter()
    let ask: @Sendable () async -> Int? = { [work] in
      await work.value(for: "key") {
        await gate.wait()
        cancellations.add(Task.isCancelled ? 1 : 0)
        return 1
      }
    }
    let (one, other) = (Task { await ask() }, Task { await ask() })
    await waitForWaiters(2)
    one.cancel()
    #expect(await one.value == nil)
    #expect(work.waiters(for: "key") == 1)
    gate.open()
    #expect(await other.value == 1)
    #expect(cancellations.value == 0)
  }

  @Test func `When the last waiter leaves the work is cancelled, and the next starts over`() async {
    let ended = Gate()
    let alone = Task { [work] in
      await work.value(for: "key") {
        await Gate().wait()
        ended.open()
        return 1
      }
    }
    await waitForWaiters(1)
    alone.cancel()
    #expect(await alone.value == nil)
    await ended.wait()
    #expect(await work.value(for: "key") { 2 } == 2)
  }

  @Test func `A task cancelled beforehand does not wait`() async {
    let task = Task { [work] in
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await work.value(for: "key") {
        await Gate().wait()
        return 1
      }
    }
    #expect(await task.value == nil)
  }

  @Test func `Keys do not wait for each other`() async {
    let gate = Gate()
    async let slow = work.value(for: "key") {
      await gate.wait()
      return 1
    }
    #expect(await work.value(for: "other") { 2 } == 2)
    gate.open()
    #expect(await slow == 1)
  }
}
