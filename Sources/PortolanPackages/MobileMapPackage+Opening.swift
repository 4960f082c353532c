public import Foundation

extension MobileMapPackage {
  /// Opens a package.
  public static func open(
    at url: URL, unpackingInto folder: URL, now: Date
  ) async throws(PackageError) -> MobileMapPackage {
    throw .notAPackage(file: url.lastPathComponent, reason: "opening is not there")
  }
}
