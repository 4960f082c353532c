internal import Foundation
internal import PortolanImages

extension PixelImage {
  /// The picture blurred by a bell curve of a deviation in pixels, its edges going on outside.
  ///
  /// Three means over boxes come so near to the curve that the difference cannot be seen.
  func blurred(_ deviation: Double) -> PixelImage {
    guard deviation >= 0.3 else { return self }
    let side = (deviation * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)
    let reach = max(Int(min(side, 2048)) / 2, 1)
    var result = pixels
    for _ in 0..<3 {
      Self.average(&result, lines: height, stride: width, count: width, step: 1, reach: reach)
      Self.average(&result, lines: width, stride: 1, count: height, step: width, reach: reach)
    }
    return PixelImage(width: width, height: height, pixels: result) ?? self
  }

  /// Replaces each pixel by the mean of those up to `reach` before and after it on its line.
  private static func average(
    _ pixels: inout [UInt32], lines: Int, stride: Int, count: Int, step: Int, reach: Int
  ) {
    let side = SIMD4<UInt32>(repeating: UInt32(2 * reach + 1))
    var line = [SIMD4<UInt32>](repeating: .zero, count: count)
    for number in 0..<lines {
      let start = number * stride
      for index in 0..<count { line[index] = parts(pixels[start + index * step]) }
      var sum = SIMD4<UInt32>.zero
      for index in -reach...reach { sum &+= line[min(max(index, 0), count - 1)] }
      for index in 0..<count {
        let mean = (sum &+ side / 2) / side
        pixels[start + index * step] = mean.x << 24 | mean.y << 16 | mean.z << 8 | mean.w
        sum &+= line[min(index + reach + 1, count - 1)]
        sum &-= line[max(index - reach, 0)]
      }
    }
  }

  @inline(__always)
  private static func parts(_ pixel: UInt32) -> SIMD4<UInt32> {
    SIMD4(pixel >> 24, pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
  }
}
