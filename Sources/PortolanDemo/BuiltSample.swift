public import Foundation
public import PortolanApp
public import PortolanComposition
internal import PortolanSample

/// The sample as a file in the home folder, built when it is first requested, and the worked example
/// of making packages.
public struct BuiltSample: SamplePackageSource {
  /// Where the file is kept.
  private let home: HomeFolder

  /// Creates what hands out the sample.
  public init(home: HomeFolder) { self.home = home }

  /// Builds the package.
  public func package() async throws -> URL {
    let folder = home.url.appending(path: "samples")
    let url = folder.appending(path: "\(ExploreMaine.name).mmpk")
    try home.create()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Built again each time: that takes a second, and an older Portolan may have left another.
    try await ExploreMaine.write(to: url)
    return url
  }

  /// Writes the specification of the *Naperville Water Company Mapbook* and its data.
  public func writeExample(to folder: URL) async throws -> URL {
    try await NapervilleMapbook.writeExample(to: folder)
  }
}
