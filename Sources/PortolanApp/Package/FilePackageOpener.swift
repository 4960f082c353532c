public import Foundation
internal import PortolanFeatures
internal import PortolanLibrary
public import PortolanPackages

/// Opens packages that are files and folders.
public struct FilePackageOpener: PackageOpening {
  private let unpacked: URL
  private let now: @Sendable () -> Date
  private let makeID: @Sendable () -> UUID

  /// Creates what opens packages.
  ///
  /// - Parameters:
  ///   - unpacked: The folder in which compressed parts are kept unpacked.
  ///   - now: Returns the date, for packages that expire and for edits.
  ///   - makeID: Makes ids, for edits.
  public init(
    unpackingInto unpacked: URL,
    now: @escaping @Sendable () -> Date = { Date() },
    makeID: @escaping @Sendable () -> UUID = { UUID() }
  ) {
    self.unpacked = unpacked
    self.now = now
    self.makeID = makeID
  }

  public func open(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    try await MobileMapPackage.open(
      at: url, unpackingInto: unpacked, now: now(),
      editing: EditingEnvironment(now: now, makeID: makeID), named: Self.name(of: url))
  }

  public func openToInspect(_ url: URL) async throws(PackageError) -> MobileMapPackage {
    try await MobileMapPackage.open(
      at: url, unpackingInto: unpacked, now: now(), refusesExpired: false,
      named: Self.name(of: url))
  }

  /// The name of a stored map in messages; `nil` for files whose name people know.
  private static func name(of url: URL) -> String? { HomeLayout.isVersion(url) ? "the map" : nil }
}
