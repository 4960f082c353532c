/// A total of many things of which only some were examined, as a range.
struct SampledTotal {
  /// How many deviations the range reaches to either side; sizes are skewed, so that twice is too few.
  private static let deviations = 2.5

  /// Sizes of things of one kind, and how many of them there are.
  struct Group {
    var count: Int
    var sizes: [Int]

    var mean: Double {
      sizes.isEmpty ? 0 : Double(sizes.reduce(0, +)) / Double(sizes.count)
    }

    /// The sum of the squares of what the sizes differ from their mean.
    var squares: Double {
      sizes.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    }

    /// The part of the things that was not looked at.
    var unseen: Double { count > 0 ? max(0, 1 - Double(sizes.count) / Double(count)) : 0 }
  }

  /// The groups, none of them without a size.
  private let groups: [Group]

  init(_ groups: [Group]) { self.groups = groups.filter { $0.count > 0 && !$0.sizes.isEmpty } }

  /// The most likely total.
  var likely: Double { groups.reduce(0) { $0 + Double($1.count) * $1.mean } }

  /// What the total may differ by from ``likely``.
  var margin: Double {
    let variance = groups.reduce(0) { sum, group in
      let deviation = deviation(of: group)
      let count = Double(group.count)
      return sum + count * count * deviation * deviation * group.unseen / Double(group.sizes.count)
    }
    return Self.deviations * variance.squareRoot()
  }

  /// The range of the total.
  var range: ClosedRange<Double> { max(0, likely - margin)...likely + margin }

  /// How far sizes of a group lie apart; what few sizes do not show is taken from all groups.
  private func deviation(of group: Group) -> Double {
    let own = group.squares / Double(max(1, group.sizes.count - 1))
    let relative = commonVariation * group.mean
    guard group.sizes.count > 1 else { return relative }
    let weight = Double(min(group.sizes.count, 16)) / 16
    return (weight * own + (1 - weight) * max(own, relative * relative)).squareRoot()
  }

  /// How far sizes lie apart in all groups, as a part of their means.
  private var commonVariation: Double {
    let several = groups.filter { $0.sizes.count > 1 && $0.mean > 0 }
    // Of things that are all looked at one by one nothing is known but that they differ.
    guard !several.isEmpty else { return 0.5 }
    let squares = several.reduce(0) { $0 + $1.squares / ($1.mean * $1.mean) }
    let freedom = several.reduce(0) { $0 + $1.sizes.count - 1 }
    return (squares / Double(freedom)).squareRoot()
  }
}
