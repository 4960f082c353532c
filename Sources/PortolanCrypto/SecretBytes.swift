internal import COpenSSL

/// Bytes that are erased when they are no longer needed.
@safe
package final class SecretBytes: Sendable {
  /// Written once, before it is shared, and erased with the last reference.
  private nonisolated(unsafe) let buffer: UnsafeMutableBufferPointer<UInt8>

  /// Copies `bytes`.
  package init(_ bytes: some Collection<UInt8>) {
    unsafe buffer = .allocate(capacity: bytes.count)
    unsafe _ = buffer.initialize(from: bytes)
  }

  deinit {
    unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    unsafe buffer.deallocate()
  }

  /// The bytes as text.
  package var text: String { unsafe String(decoding: buffer, as: UTF8.self) }

  /// How many bytes there are.
  package var count: Int { unsafe buffer.count }
}
