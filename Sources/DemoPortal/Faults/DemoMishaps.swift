/// The faults that apply to a response on its way to the client.
struct DemoMishaps: Hashable, Sendable {
  /// How long nothing is sent.
  var delay: Duration?

  /// Whether the connection ends without an answer.
  var dropsConnection = false

  /// After how many bytes of the body the connection ends.
  var cut: Int?

  /// After how many bytes of the body nothing more is sent.
  var stall: Int?

  /// How many bytes of the body are sent in a second at most.
  var rate: Int?

  /// How many bytes of the body arrive changed, spread evenly over it.
  var corruptBytes = 0

  /// By how much `Content-Length` is wrong.
  var lengthOffset = 0

  /// Whether the body arrives as it was sent.
  var sparesBody: Bool {
    cut == nil && stall == nil && rate == nil && corruptBytes == 0 && lengthOffset == 0
  }
}
