import Dispatch
import PortolanLocks
import Testing

@Suite struct LockedTests {
  @Test func `Changes of many threads are all kept`() {
    let counts = Locked<[Int: Int]>([:])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for number in 0..<1_000 { counts.withLock { $0[number % 10, default: 0] += 1 } }
    }
    #expect(counts.withLock { $0.values.allSatisfy { $0 == 800 } })
  }

  @Test func `An error thrown by the body releases the lock`() {
    struct Failure: Error {}
    let value = Locked(1)
    #expect(throws: Failure.self) { try value.withLock { _ in throw Failure() } }
    #expect(value.withLock { $0 } == 1)
  }

  @Test func `What a lock guards goes with it, and not before`() {
    final class Thing: Sendable {}
    weak var thing: Thing?
    do {
      let made = Thing()
      thing = made
      let guarded = Locked([made])
      withExtendedLifetime(guarded) { #expect(thing != nil) }
    }
    #expect(thing == nil)
  }
}
