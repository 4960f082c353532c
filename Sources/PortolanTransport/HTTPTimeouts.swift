/// How long a transfer may wait before it counts as failed.
public struct HTTPTimeouts: Hashable, Sendable {
  /// From the start until the connection is established, name resolution and TLS included.
  public var connect: Duration

  /// From the request's last byte to the response's first.
  public var firstByte: Duration

  /// How long the body may continue at less than ``slowest``.
  public var stall: Duration

  /// The lowest rate of a body that counts as alive, in bytes per second.
  ///
  /// It is measured over ``stall``, so that a lost connection and one that trickles end the
  /// same way.
  public var slowest: Int

  /// How long the request may take as a whole, retries and pauses included; `nil` for no limit.
  ///
  /// Right for requests that a user waits for; a download has none, since it resumes.
  public var total: Duration?

  /// Creates time-outs.
  public init(
    connect: Duration, firstByte: Duration, stall: Duration, slowest: Int = 100,
    total: Duration? = nil
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.stall = stall
    self.slowest = slowest
    self.total = total
  }

  /// 15 seconds to connect, 60 for the first byte, 30 below 100 bytes per second, no limit in total.
  public static let standard = HTTPTimeouts(
    connect: .seconds(15), firstByte: .seconds(60), stall: .seconds(30))

  /// As ``standard``, with five minutes in total.
  public static let interactive = HTTPTimeouts(
    connect: .seconds(15), firstByte: .seconds(60), stall: .seconds(30), total: .seconds(300))
}
