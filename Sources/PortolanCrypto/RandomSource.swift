public import Foundation

/// A source of random bytes, so that tests can determine them.
public struct RandomSource: Sendable {
  private let makeBytes: @Sendable (Int) -> [UInt8]

  /// Creates a source that asks `makeBytes` for as many bytes as are needed.
  public init(_ makeBytes: @escaping @Sendable (Int) -> [UInt8]) {
    self.makeBytes = makeBytes
  }

  /// `count` bytes.
  public func bytes(_ count: Int) -> Data { Data(makeBytes(count)) }

  /// The operating system's generator, fit for secrets.
  public static let system = RandomSource { count in
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
