import Foundation
import Testing

/// The programs of GDAL, where they are installed.
enum GDAL {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/ogrinfo")

  /// Runs a program and returns what it printed, errors included.
  static func run(_ words: [String]) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test, saying so, where GDAL is not installed.
  static var needsGDAL: Self {
    .enabled(if: GDAL.isInstalled, "needs ogrinfo (gdal-bin), which is not installed")
  }
}
