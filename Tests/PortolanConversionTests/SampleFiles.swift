import Foundation
import PortolanFeatures
import PortolanGeodatabase
import PortolanTestSupport

@testable import PortolanConversion

/// The geodatabases beside the project.
enum SampleFiles {
  static let geodatabases = [
    "geodatabases/LA_Trails.geodatabase", "geodatabases/militaryoverlay.geodatabase",
    "geodatabases/usa-10.2.1.geodatabase", canyonlands,
  ]

  private static let canyonlands: String = {
    let folder = SharedFiles.url("samples/preplanned-package/canyonlands")
    let files = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))
    let found = files?.compactMap { $0 as? String }.first { $0.hasSuffix(".geodatabase") }
    return "preplanned-package/canyonlands/" + (found ?? "absent.geodatabase")
  }()

  static func url(_ path: String) -> URL { SharedFiles.url("samples/\(path)") }
}

/// Converts features in the temporary folder of the test.
@discardableResult
func convert(
  _ store: any FeatureStore, from input: URL = URL(filePath: "/nowhere/in"), to output: URL,
  _ parameters: Conversion.Parameters = Conversion.Parameters()
) async throws -> ConversionResult {
  try await Conversion(of: .features(store), at: input, to: output, parameters).run()
}

/// The names in the temporary folder of the test.
func filesLeft() throws -> [String] {
  try FileManager.default.contentsOfDirectory(
    atPath: temporaryDirectory.path(percentEncoded: false)
  ).sorted()
}
