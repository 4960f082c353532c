public import Foundation

/// Feeds one target with one mutated input after another.
///
/// An input depends on the target's seeds, the seed of the run and its own number only.
public struct FuzzRun {
  private let target: FuzzTarget
  private let settings: FuzzSettings
  private let seeds: [Data]

  /// Makes the seeds.
  public init(_ target: FuzzTarget, _ settings: FuzzSettings) throws {
    self.target = target
    self.settings = settings
    var seeds = try target.seeds()
    if let folder = settings.seedFolder {
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      seeds += try files.sorted { $0.path < $1.path }.map { try Data(contentsOf: $0) }
    }
    self.seeds = seeds
  }

  /// The input with a number.
  public func input(_ number: Int) -> Data {
    guard !seeds.isEmpty else { return Data() }
    let seed = settings.seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95
    let input = seeds[number % seeds.count]
    // In turns over all seeds.
    if target.form == .json, number / seeds.count % 2 == 0 {
      var mutator = JSONMutator(seed: seed)
      if let mutated = mutator.mutate(input, with: seeds) { return mutated }
    } else if target.form == .pages {
      var mutator = PageMutator(seed: seed)
      return mutator.mutate(input)
    }
    var mutator = Mutator(seed: seed, words: target.words)
    return mutator.mutate(input, with: seeds)
  }

  /// Runs until an input does harm or all are through; `progress` is called now and then with the
  /// number of the next input.
  ///
  /// A parser that never comes back ends the process by an alarm signal.
  public func run(progress: (Int) -> Void = { _ in }) async throws -> FuzzReport {
    var report = FuzzReport(target: target.name)
    try await refuseDamagedSeeds(&report)
    let keeper = try settings.inputFile.map { try InputKeeper(at: $0) }
    for number in settings.first..<settings.first + settings.iterations {
      guard report.finding == nil else { break }
      if number.isMultiple(of: 10_000) { progress(number) }
      let input = input(number)
      try keeper?.keep(input)
      await feed(input, number, &report)
    }
    ProcessMeter.setAlarm(seconds: 0)
    return report
  }

  /// Seeds that are not valid would make for a run that tests little.
  private func refuseDamagedSeeds(_ report: inout FuzzReport) async throws {
    for (index, seed) in seeds.enumerated() {
      do {
        guard try await target.accepts(seed) else {
          report.finding = (index, "is a seed that the parser refuses")
          return
        }
      } catch {
        report.finding = (index, "is a seed that \(error.reason)")
      }
    }
  }

  private func feed(_ input: Data, _ number: Int, _ report: inout FuzzReport) async {
    ProcessMeter.setAlarm(seconds: UInt32(settings.patience * 12))
    let before = ProcessMeter.now()
    do {
      if try await target.accepts(input) { report.accepted += 1 }
    } catch {
      report.finding = (number, error.reason)
    }
    let used = ProcessMeter.now() - before
    report.inputs += 1
    report.slowest.include(used.processorTime, of: number)
    report.largest.include(Double(used.peakMemory), of: number)
    if used.processorTime > settings.patience {
      report.finding = (number, "takes \(used.processorTime) seconds")
    } else if used.peakMemory > settings.memoryLimit {
      report.finding = (number, "takes \(used.peakMemory >> 20) MB")
    }
  }
}
