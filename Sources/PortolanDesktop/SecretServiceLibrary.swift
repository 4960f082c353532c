internal import CSecretService
internal import Glibc
internal import PortolanPortal

/// libsecret, as long as the process lives.
@safe
struct SecretServiceLibrary: Sendable {
  /// How messages name the service.
  static let place = "the desktop's secret service"

  /// Never changed after it was made, and libsecret's calls may come from any thread.
  private nonisolated(unsafe) let service: OpaquePointer

  /// `nil` where libsecret is not installed.
  init?() {
    guard let service = unsafe portolan_secret_service_open() else { return nil }
    unsafe self.service = service
  }

  func store(_ secret: String, home: String) throws(CredentialStoreError) {
    var reason: UnsafeMutablePointer<CChar>?
    let isStored = unsafe portolan_secret_service_store(
      service, home, "Portolan accounts", secret, &reason)
    guard isStored != 0 else {
      throw .unwritable(place: Self.place, reason: unsafe Self.take(reason))
    }
  }

  func lookUp(home: String) throws(CredentialStoreError) -> String? {
    var reason: UnsafeMutablePointer<CChar>?
    let secret = unsafe portolan_secret_service_lookup(service, home, &reason)
    if let reason = unsafe reason {
      throw .unreadable(place: Self.place, reason: unsafe Self.take(reason))
    }
    guard let secret = unsafe secret else { return nil }
    defer { unsafe portolan_secret_service_free(service, secret) }
    return unsafe String(cString: secret)
  }

  private static func take(_ reason: UnsafeMutablePointer<CChar>?) -> String {
    guard let reason = unsafe reason else { return "it does not say why" }
    defer { unsafe free(reason) }
    return unsafe String(cString: reason)
  }
}
