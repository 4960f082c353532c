/// The identity of a file on a disk; it stays when the file is renamed.
public struct FileIdentity: Hashable, Sendable, Codable {
  /// The number of the disk.
  public let device: UInt64
  /// The number of the file on it.
  public let number: UInt64

  /// Creates an identity.
  public init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}
