/// Numbers that look random and are the same for the same seed: for samples of tiles, scattered dots
/// and tests.
///
/// - SeeAlso: [SplitMix64, by Sebastiano Vigna](https://prng.di.unimi.it/splitmix64.c)
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator; equal seeds give equal numbers.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, 1.
  package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
