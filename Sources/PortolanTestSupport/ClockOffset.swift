/// A point in time of a clock for tests, counted from when the clock was made.
public struct ClockOffset: InstantProtocol {
  /// The time since then.
  public var offset: Swift.Duration

  public func advanced(by duration: Swift.Duration) -> ClockOffset {
    ClockOffset(offset: offset + duration)
  }

  public func duration(to other: ClockOffset) -> Swift.Duration { other.offset - offset }

  public static func < (left: ClockOffset, right: ClockOffset) -> Bool {
    left.offset < right.offset
  }
}
