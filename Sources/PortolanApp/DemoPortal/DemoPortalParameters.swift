/// The parameters of a demo portal.
public struct DemoPortalParameters: Hashable, Sendable {
  /// The port, or 0 for one that is free.
  public var port: UInt16

  /// Whether it speaks HTTPS, with a certificate of its own making.
  public var isSecure: Bool

  /// The seed of its ids.
  public var seed: UInt64

  /// Creates parameters.
  public init(port: UInt16 = 0, isSecure: Bool = false, seed: UInt64 = 1) {
    self.port = port
    self.isSecure = isSecure
    self.seed = seed
  }
}
