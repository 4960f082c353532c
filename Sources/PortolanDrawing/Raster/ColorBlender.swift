internal import PortolanImages
internal import PortolanMap

/// Puts a colour on pixels: over them, by the share of the pixel that is covered.
///
/// Shares are counted in parts of 4096, so that a pixel is off by rounding to its 256 values only.
struct ColorBlender {
  /// The parts of a whole pixel.
  static let whole: UInt32 = 4096

  private let alpha: UInt64
  /// The channels multiplied by 255: blue and red.
  private let even: UInt64
  /// The channels multiplied by 255: green and alpha.
  private let odd: UInt64
  private let pixel: UInt32

  /// The coverage of pixels at edges.
  let edge: AreaEdge

  init(_ color: RGBAColor, edge: AreaEdge = .exact) {
    self.edge = edge
    let plain =
      UInt32(color.alpha) << 24 | UInt32(color.red) << 16 | UInt32(color.green) << 8
      | UInt32(color.blue)
    pixel = plain.premultiplied
    alpha = UInt64(color.alpha)
    even = Self.even(pixel) &* 255
    odd = Self.odd(pixel) &* 255
  }

  /// Whether nothing changes.
  var isClear: Bool { alpha == 0 }

  /// Covers a part of a pixel.
  @inline(__always)
  func blend(_ share: UInt32, over target: UnsafeMutablePointer<UInt32>) {
    let under = unsafe target.pointee
    let share = UInt64(share)
    let rest = 255 &* 4096 &- alpha &* share
    let low = Self.divided(even &* share &+ Self.even(under) &* rest)
    let high = Self.divided(odd &* share &+ Self.odd(under) &* rest)
    unsafe target.pointee = Self.joined(low, high)
  }

  /// Covers some pixels in full.
  @inline(__always)
  func fill(_ target: UnsafeMutablePointer<UInt32>, count: Int) {
    if alpha == 255 {
      unsafe target.update(repeating: pixel, count: count)
    } else {
      unsafe fillThrough(target, count: count)
    }
  }

  /// Eight half-words, each a channel of a pixel, are worked on at a time.
  private func fillThrough(_ target: UnsafeMutablePointer<UInt32>, count: Int) {
    let rest = SIMD8<UInt16>(repeating: UInt16(255 - alpha))
    let color = SIMD8<UInt16>(
      pixel.lowHalf, pixel.highHalf, pixel.lowHalf, pixel.highHalf, pixel.lowHalf,
      pixel.highHalf, pixel.lowHalf, pixel.highHalf)
    let mask = SIMD8<UInt16>(repeating: 0x00FF)
    let half = SIMD8<UInt16>(repeating: 128)
    var index = 0
    while index + 4 <= count {
      let place = unsafe UnsafeMutableRawPointer(target + index)
      let under = unsafe place.loadUnaligned(as: SIMD8<UInt16>.self)
      let even = (under & mask) &* rest &+ half
      let odd = (under &>> 8) &* rest &+ half
      let low = (even &+ (even &>> 8)) &>> 8
      let high = (odd &+ (odd &>> 8)) & ~mask
      unsafe place.storeBytes(of: (low | high) &+ color, as: SIMD8<UInt16>.self)
      index += 4
    }
    while index < count {
      unsafe blend(Self.whole, over: target + index)
      index += 1
    }
  }

  /// Blue and red, each in a half of 64 bits.
  @inline(__always)
  private static func even(_ pixel: UInt32) -> UInt64 {
    UInt64(pixel & 0xFF) | UInt64(pixel & 0xFF_0000) << 16
  }

  /// Green and alpha.
  @inline(__always)
  private static func odd(_ pixel: UInt32) -> UInt64 { even(pixel >> 8) }

  /// Both halves divided by 255 times 4096, and rounded.
  @inline(__always)
  private static func divided(_ halves: UInt64) -> UInt64 {
    let parts = (halves &+ 0x0007_F800_0007_F800) >> 12 & 0x000F_FFFF_000F_FFFF
    let ones: UInt64 = 0x0000_0001_0000_0001
    return (parts &+ ones &+ (parts >> 8 & 0x0000_FFFF_0000_FFFF)) >> 8 & 0x0000_00FF_0000_00FF
  }

  @inline(__always)
  private static func joined(_ even: UInt64, _ odd: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: even | even >> 16 | odd << 8 | odd >> 8)
  }
}

extension UInt32 {
  fileprivate var lowHalf: UInt16 { UInt16(truncatingIfNeeded: self) }
  fileprivate var highHalf: UInt16 { UInt16(truncatingIfNeeded: self >> 16) }
}
