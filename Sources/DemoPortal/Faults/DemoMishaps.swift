/// The faults that apply to a response on its way to the client.
struct DemoMishaps: Hashable, Sendable {
  /// The time during which nothing is sent.
  var delay: Duration?

  /// Whether the connection ends without an answer.
  var dropsConnection = false

  /// After how many bytes of the body the connection ends.
  var cut: Int?

  /// After how many bytes of the body nothing more is sent.
  var stall: Int?

  /// The maximum rate of the body, in bytes per second.
  var rate: Int?

  /// The number of bytes of the body that arrive changed, spread evenly over it.
  var corruptBytes = 0

  /// The error of `Content-Length`, in bytes.
  var lengthOffset = 0

  /// Whether the body arrives as it was sent.
  var sparesBody: Bool {
    cut == nil && stall == nil && rate == nil && corruptBytes == 0 && lengthOffset == 0
  }
}
