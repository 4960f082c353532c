public import Foundation

/// Hands out the map package that ships with Portolan.
public protocol SamplePackageSource: Sendable {
  /// The package, made first if it is not there yet.
  func package() async throws -> URL
}
