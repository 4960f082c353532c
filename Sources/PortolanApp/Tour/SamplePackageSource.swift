public import Foundation

/// Hands out the map package that ships with Portolan, and the sources of another.
public protocol SamplePackageSource: Sendable {
  /// The package, made first if it is not there yet.
  func package() async throws -> URL

  /// Writes a specification of a package and the data that it names: the worked example of making
  /// packages.
  ///
  /// - Parameter folder: A new folder, which is there when all is in it.
  /// - Returns: The specification.
  /// - Throws: Why the files cannot be written; nothing is left behind then.
  func writeExample(to folder: URL) async throws -> URL
}
