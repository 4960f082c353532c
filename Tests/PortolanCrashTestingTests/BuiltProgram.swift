import Foundation

/// The program `crash-test`, which the build puts beside the test bundle.
enum BuiltProgram {
  /// The program.
  static var url: URL { folder.appending(path: "crash-test") }
  /// The library that makes system calls fail.
  static var failingCalls: URL { folder.appending(path: "libFailingSystemCalls.so") }

  private static var folder: URL {
    let test = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let folder = test.deletingLastPathComponent()
    return folder.pathExtension == "xctest" ? folder.deletingLastPathComponent() : folder
  }
}
