import Foundation
import PortolanPackages
import PortolanTestSupport

@testable import PortolanSample

/// The sample, built for the running test and unpacked.
struct SampleFixture {
  let url: URL
  let package: MobileMapPackage

  init() async throws {
    url = temporaryDirectory.appending(path: "explore-maine.mmpk")
    try await ExploreMaine.write(to: url)
    package = try await MobileMapPackage.open(
      at: url, unpackingInto: temporaryDirectory, now: ExploreMaine.moment)
  }
}
