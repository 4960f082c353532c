import Foundation

/// Runs contenders in turn (A B C A B C), so that what else the machine does hits all alike.
struct Contest: Sendable {
  /// What is done.
  let job: String
  /// Who does it; the first is ours.
  let contenders: [Contender]

  /// Measures and prints a table with the ratio of each to the first.
  func run(on bed: BenchmarkBed) async {
    let rounds = bed.rounds
    let contenders = contenders.filter { $0.name.contains(bed.only ?? $0.name) }
    var figures: [String: [Double]] = [:]
    var absent: [String: String] = [:]
    for round in 0...rounds {
      for contender in contenders where absent[contender.name] == nil {
        do {
          let figure = try await contender.measure()
          // The first round warms caches and is not counted.
          if round > 0 { figures[contender.name, default: []].append(figure) }
        } catch {
          absent[contender.name] = "\(error)"
        }
      }
    }
    report(contenders, figures, absent, rounds)
  }

  private func report(
    _ contenders: [Contender], _ figures: [String: [Double]], _ absent: [String: String],
    _ rounds: Int
  ) {
    print("\n### \(job)\n\nMedians of \(rounds) interleaved rounds.\n")
    print("| | µs each (min-max) | ours / this |\n|---|--:|--:|")
    let ours = contenders.first.flatMap { figures[$0.name] }.map(median)
    for contender in contenders {
      guard let runs = figures[contender.name], !runs.isEmpty else {
        let reason = absent[contender.name] ?? "no round was run"
        print("| \(contender.name) | no figure: \(reason) | |")
        continue
      }
      let middle = median(runs)
      let spread = "\(text(runs.min() ?? middle))-\(text(runs.max() ?? middle))"
      let ratio = ours.map { text($0 / middle) } ?? ""
      print("| \(contender.name) | \(text(middle)) (\(spread)) | \(ratio) |")
    }
  }

  private func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }

  private func text(_ value: Double) -> String {
    value.formatted(.number.precision(.significantDigits(3)).grouping(.never))
  }
}
