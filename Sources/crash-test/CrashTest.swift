import Foundation
import PortolanCrashTesting

/// Kills processes while they take maps offline, edit, update, delete and repair them, or lets their
/// system calls fail, and looks at what they leave.
///
/// Docs/STORAGE.md says how it is run and what came of it.
@main
enum CrashTest {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if let child = CrashChild(arguments) { return try await child.run() }
      if let child = RegionChild(arguments) { return try await child.run() }
      let parsed = try CrashTestArguments(arguments)
      if parsed.wantsHelp { return print(CrashTestArguments.usage) }
      exit(try await run(parsed) ? 0 : 1)
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
    if let stride = arguments.calls {
      return try await sweep(settings, every: stride, arguments)
    }
    if let kills = arguments.regions {
      settings.kills = kills
      return try await killRegions(settings, arguments)
    }
    if arguments.syncs != nil || arguments.syncCalls != nil {
      settings.kills = arguments.syncs ?? 0
      return try await killSynchronizing(settings, arguments)
    }
    settings.kills = arguments.kills
    settings.seed = arguments.seed
    write("seed \(arguments.seed), \(arguments.homes) homes")
    let report = try await CrashRuns(settings, homes: arguments.homes) { count in
      if count.isMultiple(of: 100) { write("\(count) kills") }
    }.run()
    try show(report, report.table, arguments)
    try clear(folder, isSound: report.isSound)
    return report.isSound
  }

  private static func killRegions(
    _ settings: CrashSettings, _ arguments: CrashTestArguments
  ) async throws -> Bool {
    var settings = settings
    settings.seed = arguments.seed
    var run = RegionCrashRun(settings) { count in
      if count.isMultiple(of: 100) { write("\(count) kills") }
    }
    let report = try await run.run()
    try show(report, report.table, arguments)
    try clear(settings.folder, isSound: report.isSound)
    return report.isSound
  }

  private static func killSynchronizing(
    _ settings: CrashSettings, _ arguments: CrashTestArguments
  ) async throws -> Bool {
    var settings = settings
    settings.seed = arguments.seed
    var run = SyncCrashRun(settings) { count in
      if count.isMultiple(of: 100) { write("\(count) kills") }
    }
    let report =
      if let stride = arguments.syncCalls {
        try await run.runCalls(every: stride)
      } else {
        try await run.run()
      }
    try show(report, report.table, arguments)
    try clear(settings.folder, isSound: report.isSound)
    return report.isSound
  }

  private static func sweep(
    _ settings: CrashSettings, every stride: Int, _ arguments: CrashTestArguments
  ) async throws -> Bool {
    var settings = settings
    // Calls are counted, not bytes.
    settings.padding = 64 << 10
    settings.seed = arguments.seed
    settings.rate = 1 << 30
    let report = try await CallSweep(
      settings, every: stride, workers: arguments.homes, tell: { write($0) }
    ).run()
    try show(report, report.table, arguments)
    try clear(settings.folder, isSound: report.isSound)
    return report.isSound
  }

  private static func show(
    _ report: some Encodable, _ table: String, _ arguments: CrashTestArguments
  ) throws {
    guard arguments.wantsJSON else { return print(table) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(report), as: UTF8.self))
  }

  private static func clear(_ folder: URL, isSound: Bool) throws {
    if isSound { return try FileManager.default.removeItem(at: folder) }
    write("The homes are kept in \(folder.path(percentEncoded: false)).")
  }

  private static func write(_ line: String) {
    FileHandle.standardError.write(Data("\(line)\n".utf8))
  }
}
