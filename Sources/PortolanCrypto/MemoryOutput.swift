internal import COpenSSL
internal import Foundation

/// A stream of OpenSSL's that collects text in memory.
@safe
struct MemoryOutput: ~Copyable {
  /// What OpenSSL writes to.
  let bio: OpaquePointer

  init() throws(CryptoError) {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else {
      throw .unavailable(operation: "writing PEM")
    }
    unsafe self.bio = bio
  }

  deinit { unsafe BIO_free_all(bio) }

  /// All that has been written.
  var text: String {
    var start: UnsafeMutablePointer<CChar>?
    let count = unsafe portolan_bio_contents(bio, &start)
    guard let start = unsafe start, count > 0 else { return "" }
    return unsafe String(
      decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}
