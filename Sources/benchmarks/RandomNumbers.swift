/// The generator of the bench's C programs, so that ours reads and taps in the same places.
struct RandomNumbers {
  private var seed: UInt64 = 42

  /// A number of 31 bits.
  mutating func next() -> UInt32 {
    seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: seed >> 33)
  }

  /// A number from 0 up to 1.
  mutating func fraction() -> Double { Double(next()) / 2_147_483_648 }
}
