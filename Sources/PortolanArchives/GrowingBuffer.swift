internal import Foundation

/// A buffer for output of unknown size, which becomes `Data` without a copy.
@safe
struct GrowingBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0
  /// One more than is allowed, so that output which is too long differs from what just fits.
  private let maximumCapacity: Int

  /// Allocates memory for a beginning; `nil` if there is not enough memory.
  ///
  /// - Parameters:
  ///   - estimate: How much output is expected; may come from a file, which may lie.
  ///   - limit: How many bytes are allowed.
  init?(estimate: Int, limit: Int) {
    let maximumCapacity = min(max(limit, 0), 1 << 48) + 1
    let capacity = min(max(estimate, 512), 1 << 20, maximumCapacity)
    guard let start = unsafe malloc(capacity) else { return nil }
    unsafe self.start = start
    self.capacity = capacity
    self.maximumCapacity = maximumCapacity
  }

  deinit { unsafe free(start) }

  /// The free part, never empty; `nil` if the limit is passed or memory is short.
  mutating func spareCapacity() -> UnsafeMutableRawBufferPointer? {
    if count == capacity {
      guard capacity < maximumCapacity else { return nil }
      let larger = min(capacity * 2, maximumCapacity)
      guard let moved = unsafe realloc(start, larger) else { return nil }
      unsafe start = moved
      capacity = larger
    }
    return unsafe UnsafeMutableRawBufferPointer(start: start + count, count: capacity - count)
  }

  /// Keeps the first `count` bytes of what ``spareCapacity()`` gave.
  mutating func advance(by count: Int) { self.count += count }

  /// Whether more than the limit was written.
  var isTooLong: Bool { count >= maximumCapacity }

  /// Hands the output over.
  consuming func take() -> Data {
    let data = unsafe Data(bytesNoCopy: start, count: count, deallocator: .free)
    discard self
    return data
  }
}
