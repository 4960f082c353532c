internal import COpenSSL
public import Foundation

/// A SHA-256 digest in the making, fed a stretch at a time.
///
/// The algorithm of FIPS 180-4.
@safe
public struct SHA256: ~Copyable {
  private let context: OpaquePointer

  /// Begins a digest of no bytes.
  public init() throws(CryptoError) {
    OpenSSLLifetime.endsWithProcess()
    guard let context = unsafe EVP_MD_CTX_new() else {
      throw .unavailable(operation: "beginning a digest")
    }
    guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      unsafe EVP_MD_CTX_free(context)
      throw .unavailable(operation: "SHA-256")
    }
    unsafe self.context = context
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Adds `bytes` to what is digested.
  public mutating func update(_ bytes: RawSpan) throws(CryptoError) {
    let code = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count)
    }
    guard code == 1 else { throw .unavailable(operation: "SHA-256") }
  }

  /// Ends the digest.
  ///
  /// - Returns: Its 32 bytes.
  /// - Throws: ``CryptoError/unavailable(operation:)``.
  public consuming func finalize() throws(CryptoError) -> Data {
    var digest = [UInt8](repeating: 0, count: 32)
    let code = unsafe digest.withUnsafeMutableBufferPointer {
      unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil)
    }
    guard code == 1 else { throw .unavailable(operation: "SHA-256") }
    return Data(digest)
  }

  /// The 32 bytes of the digest of `data`.
  public static func hash(_ data: Data) throws(CryptoError) -> Data {
    var digest = try SHA256()
    try unsafe digest.update(data.span.bytes)
    return try digest.finalize()
  }
}
