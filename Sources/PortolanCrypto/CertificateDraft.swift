internal import COpenSSL
internal import Foundation

/// A certificate that is being filled in, with the key that will sign it.
@safe
struct CertificateDraft: ~Copyable {
  private let certificate: OpaquePointer
  private let key: OpaquePointer

  /// Creates an empty certificate and a new key.
  init() throws(CryptoError) {
    OpenSSLLifetime.endsWithProcess()
    guard let key = unsafe portolan_generate_p256_key() else {
      throw .unavailable(operation: "making a P-256 key")
    }
    guard let certificate = unsafe X509_new() else {
      unsafe EVP_PKEY_free(key)
      throw .unavailable(operation: "making a certificate")
    }
    unsafe self.key = key
    unsafe self.certificate = certificate
  }

  deinit {
    unsafe X509_free(certificate)
    unsafe EVP_PKEY_free(key)
  }

  /// Says that it is of version 3, whose key it holds, and what its number is.
  func setIdentity(serial: Int64) throws(CryptoError) {
    try CertificateDraft.check(
      unsafe X509_set_version(certificate, 2) == 1
        && ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), serial) == 1
        && X509_set_pubkey(certificate, key) == 1)
  }

  func setValidity(from date: Date, days: Int) throws(CryptoError) {
    let seconds = time_t(date.timeIntervalSince1970)
    let end = seconds + time_t(days) * 86_400
    try CertificateDraft.check(
      unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), seconds) != nil
        && ASN1_TIME_set(X509_getm_notAfter(certificate), end) != nil)
  }

  /// Names the host as both the subject and the issuer.
  func setSubject(_ host: String) throws(CryptoError) {
    let name = unsafe X509_get_subject_name(certificate)
    let bytes = Array(host.utf8)
    let code = unsafe bytes.withUnsafeBufferPointer {
      unsafe X509_NAME_add_entry_by_txt(
        name, "CN", MBSTRING_UTF8, $0.baseAddress, Int32($0.count), -1, 0)
    }
    try CertificateDraft.check(unsafe code == 1 && X509_set_issuer_name(certificate, name) == 1)
  }

  func addExtensions(alternativeNames: String) throws(CryptoError) {
    try addExtension(NID_subject_alt_name, alternativeNames)
    try addExtension(NID_basic_constraints, "critical,CA:TRUE")
    try addExtension(NID_ext_key_usage, "serverAuth")
  }

  private func addExtension(_ kind: Int32, _ value: String) throws(CryptoError) {
    guard let made = unsafe portolan_make_extension(certificate, kind, value) else {
      throw .badHost(value)
    }
    defer { unsafe X509_EXTENSION_free(made) }
    try CertificateDraft.check(unsafe X509_add_ext(certificate, made, -1) == 1)
  }

  /// Signs the certificate, and writes it and its key as PEM.
  func sign() throws(CryptoError) -> (certificate: String, key: String) {
    try CertificateDraft.check(unsafe X509_sign(certificate, key, EVP_sha256()) > 0)
    let output = try MemoryOutput()
    try CertificateDraft.check(unsafe PEM_write_bio_X509(output.bio, certificate) == 1)
    let keyOutput = try MemoryOutput()
    try CertificateDraft.check(
      unsafe PEM_write_bio_PKCS8PrivateKey(keyOutput.bio, key, nil, nil, 0, nil, nil) == 1)
    return (output.text, keyOutput.text)
  }

  private static func check(_ isDone: Bool) throws(CryptoError) {
    guard isDone else { throw .unavailable(operation: "making a certificate") }
  }
}
