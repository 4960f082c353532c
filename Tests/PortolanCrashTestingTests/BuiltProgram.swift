import Foundation

/// The program `crash-test`, which the build puts beside the test bundle.
enum BuiltProgram {
  /// The program.
  static var url: URL {
    let test = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
    let folder = test.deletingLastPathComponent()
    return (folder.pathExtension == "xctest" ? folder.deletingLastPathComponent() : folder)
      .appending(path: "crash-test")
  }
}
