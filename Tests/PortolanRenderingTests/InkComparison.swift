@testable import PortolanImages

/// The difference of two pictures where either has ink: pixels of both that have the color that is
/// most frequent in the expected one do not count, so a picture without anything on it agrees with
/// none.
struct InkComparison {
  /// Ink that differs, as a share of all.
  let share: Double

  init(_ ours: PixelImage, _ theirs: PixelImage, threshold: Int = 64) {
    guard ours.width == theirs.width, ours.height == theirs.height else {
      share = 1
      return
    }
    let (ours, theirs) = (ours.pixels.map(Self.onWhite), theirs.pixels.map(Self.onWhite))
    var counts: [SIMD3<Int>: Int] = [:]
    for pixel in theirs { counts[pixel, default: 0] += 1 }
    let ground = counts.max { $0.value < $1.value }?.key ?? .zero
    var (ink, wrong) = (0, 0)
    for (our, their) in zip(ours, theirs) {
      if Self.distance(our, ground) > 8 || Self.distance(their, ground) > 8 { ink += 1 }
      if Self.distance(our, their) > threshold { wrong += 1 }
    }
    share = ink > 0 ? Double(wrong) / Double(ink) : wrong > 0 ? 1 : 0
  }

  private static func distance(_ left: SIMD3<Int>, _ right: SIMD3<Int>) -> Int {
    let step = left &- right
    return max(abs(step.x), abs(step.y), abs(step.z))
  }

  /// The colors over white; they are multiplied by their opacity already.
  private static func onWhite(_ pixel: UInt32) -> SIMD3<Int> {
    let rest = 255 - Int(pixel >> 24)
    return SIMD3(
      Int(pixel >> 16 & 255) + rest, Int(pixel >> 8 & 255) + rest, Int(pixel & 255) + rest)
  }
}
