internal import Foundation
internal import PortolanApp
internal import PortolanSample

/// The sample as a file in the home folder, built when it is first asked for.
struct BuiltSample: SamplePackageSource {
  /// Where the file is kept.
  let home: HomeFolder

  func package() async throws -> URL {
    let folder = home.url.appending(path: "samples")
    let url = folder.appending(path: "\(ExploreMaine.name).mmpk")
    try home.create()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Built anew each time: that takes a second, and an older Portolan may have left another.
    try await ExploreMaine.write(to: url)
    return url
  }
}
