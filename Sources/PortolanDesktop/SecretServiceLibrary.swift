internal import CSecretService
internal import PortolanPortal

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// libsecret, as long as the process lives.
@safe
struct SecretServiceLibrary: Sendable {
  /// How messages name the service.
  static let place = "the desktop's secret service"

  /// Never changed after it was made, and libsecret's calls may come from any thread.
  private nonisolated(unsafe) let service: OpaquePointer

  /// `nil` where libsecret is not installed.
  init?(named library: String = "libsecret-1.so.0") {
    guard let service = unsafe portolan_secret_service_open(library) else { return nil }
    unsafe self.service = service
  }

  func store(
    _ secret: String, home: String, until ending: SecretServiceEnding
  ) throws(CredentialStoreError) {
    var reason: UnsafeMutablePointer<CChar>?
    let isStored = unsafe portolan_secret_service_store(
      service, home, "Portolan accounts", secret, ending.pointer, &reason)
    guard isStored != 0 else {
      throw .unwritable(place: Self.place, reason: unsafe Self.take(reason))
    }
  }

  func lookUp(
    home: String, until ending: SecretServiceEnding
  ) throws(CredentialStoreError) -> String? {
    var reason: UnsafeMutablePointer<CChar>?
    let secret = unsafe portolan_secret_service_lookup(service, home, ending.pointer, &reason)
    if let reason = unsafe reason {
      throw .unreadable(place: Self.place, reason: unsafe Self.take(reason))
    }
    guard let secret = unsafe secret else { return nil }
    defer { unsafe portolan_secret_service_free(service, secret) }
    return unsafe String(cString: secret)
  }

  /// Something by which one call, or several in a row, can be ended.
  func makeEnding() -> SecretServiceEnding { unsafe SecretServiceEnding(service) }

  private static func take(_ reason: UnsafeMutablePointer<CChar>?) -> String {
    guard let reason = unsafe reason else { return "it does not say why" }
    defer { unsafe free(reason) }
    return unsafe String(cString: reason)
  }
}

/// Ends calls of libsecret that wait for a keyring to be unlocked.
@safe
final class SecretServiceEnding: Sendable {
  private nonisolated(unsafe) let service: OpaquePointer
  /// A `GCancellable`, which any thread may use, as long as this object.
  nonisolated(unsafe) let pointer: UnsafeMutableRawPointer?

  init(_ service: OpaquePointer) {
    unsafe self.service = service
    unsafe pointer = portolan_secret_service_new_ending(service)
  }

  deinit {
    if unsafe pointer != nil { unsafe portolan_secret_service_free_ending(service, pointer) }
  }

  /// Lets the calls fail that were given this.
  func end() {
    if unsafe pointer != nil { unsafe portolan_secret_service_end(service, pointer) }
  }
}
