import Foundation
import PortolanFuzzing

/// Feeds mutated inputs to every parser and stops at the first crash, hang or waste of memory.
///
/// Docs/FUZZING.md says how it is run and what came of it.
@main
enum Fuzz {
  static func main() async {
    do {
      let arguments = try FuzzArguments(Array(CommandLine.arguments.dropFirst()))
      exit(try await run(arguments) ? 0 : 1)
    } catch let usage as FuzzArguments.Mistake {
      print("\(usage.reason)\n\(FuzzArguments.usage)")
      exit(2)
    } catch {
      print(error.localizedDescription)
      exit(1)
    }
  }

  private static func run(_ arguments: FuzzArguments) async throws -> Bool {
    var isSound = true
    for target in arguments.targets {
      let run = try FuzzRun(target, arguments.settings)
      if arguments.wantsInput {
        FileHandle.standardOutput.write(run.input(arguments.settings.first))
        continue
      }
      let start = ContinuousClock.now
      let report = try await run.run { number in
        FileHandle.standardError.write(Data("\r\(target.name) \(number) ".utf8))
      }
      print("\r\(report), \((ContinuousClock.now - start).components.seconds) s")
      isSound = isSound && report.finding == nil
    }
    return isSound
  }
}
