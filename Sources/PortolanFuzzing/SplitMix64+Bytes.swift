internal import PortolanGeometry

extension SplitMix64 {
  /// A number from 0 up to, but not including, `bound`.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}
