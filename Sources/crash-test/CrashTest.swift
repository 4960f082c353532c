import Foundation
import PortolanCrashTesting

/// Kills processes while they take maps offline, store, delete and repair them, and looks at what
/// they leave.
///
/// Docs/STORAGE.md says how it is run and what came of it.
@main
enum CrashTest {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if let child = CrashChild(arguments) { return try await child.run() }
      exit(try await run(try CrashTestArguments(arguments)) ? 0 : 1)
    } catch let mistake as CrashTestArguments.Mistake {
      write("\(mistake.reason)\n\(CrashTestArguments.usage)")
      exit(2)
    } catch {
      write(error.localizedDescription)
      exit(1)
    }
  }

  private static func run(_ arguments: CrashTestArguments) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "portolan-crash-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = CrashSettings(
      program: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(), folder: folder)
    settings.kills = arguments.kills
    settings.seed = arguments.seed
    var run = try await CrashRun(settings) { count in
      if count.isMultiple(of: 10) { write("\(count) kills") }
    }
    let report = try await run.run()
    if arguments.wantsJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(report), as: UTF8.self))
    } else {
      print(report.table)
    }
    if report.isSound {
      try FileManager.default.removeItem(at: folder)
    } else {
      write("What was found is in \(folder.path(percentEncoded: false)).")
    }
    return report.isSound
  }

  private static func write(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}
