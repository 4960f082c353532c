/// How fast a body is sent: as much as has become due since its first bytes.
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

  /// How many bytes go at once: those of some two thousandths of a second.
  var piece: Int { max(rate / 512, 1024) }

  /// How long to wait before anything from `position` on is sent; `nil` if it is due.
  func pause(at position: Int) -> Duration? {
    let pause = .seconds(1) * (Double(position) / Double(rate)) - (ContinuousClock.now - start)
    return pause > Self.shortest ? pause : nil
  }
}
