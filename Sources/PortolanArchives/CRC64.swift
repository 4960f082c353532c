internal import CISAL
public import Foundation

/// A checksum of 64 bits (ECMA-182), many times as fast as a digest.
///
/// It distinguishes versions of the same bytes, and protects against chance, not against who seeks bytes
/// that have a certain one.
public enum CRC64 {
  /// The checksum of `data`.
  public static func checksum(of data: Data) -> UInt64 {
    unsafe data.withUnsafeBytes { bytes in
      unsafe crc64_ecma_refl(
        0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }
  }
}
