/// The pace of a body: at any time as much is sent as has become due since its first bytes.
struct BodyPace: Sendable {
  /// Sleeping for less takes longer than that.
  private static let shortest = Duration.milliseconds(1)

  /// Bytes in a second.
  let rate: Int
  private let start: ContinuousClock.Instant

  /// Begins now.
  init(rate: Int) {
    self.rate = rate
    start = .now
  }

  /// The number of bytes sent at once: those of about two thousandths of a second.
  var piece: Int { max(rate / 512, 1024) }

  /// The time to wait before anything from `position` on is sent; `nil` if it is due.
  func pause(at position: Int) -> Duration? {
    let pause = .seconds(1) * (Double(position) / Double(rate)) - (ContinuousClock.now - start)
    return pause > Self.shortest ? pause : nil
  }
}
