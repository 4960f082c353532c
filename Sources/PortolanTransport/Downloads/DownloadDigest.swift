/// A digest that is made while bytes arrive, such as SHA-256.
///
/// Calls come one after another, from any thread.
public protocol DownloadDigest: AnyObject, Sendable {
  /// Takes in the next bytes.
  func update(_ bytes: RawSpan)

  /// Starts over.
  func reset()

  /// The digest of all bytes since the beginning.
  func finish() -> [UInt8]
}
