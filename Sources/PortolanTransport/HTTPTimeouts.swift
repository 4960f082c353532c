/// How long a transfer may wait before it counts as failed.
///
/// A transfer as a whole has no limit: what matters is that bytes keep coming.
public struct HTTPTimeouts: Hashable, Sendable {
  /// From the start until the connection stands, names looked up and keys exchanged.
  public var connect: Duration

  /// From the request's last byte to the answer's first.
  public var firstByte: Duration

  /// Between two bytes of the answer.
  public var stall: Duration

  /// Creates time-outs.
  public init(connect: Duration, firstByte: Duration, stall: Duration) {
    self.connect = connect
    self.firstByte = firstByte
    self.stall = stall
  }

  /// 15 seconds to connect, 60 for the first byte, 30 without any.
  public static let standard = HTTPTimeouts(
    connect: .seconds(15), firstByte: .seconds(60), stall: .seconds(30))
}
