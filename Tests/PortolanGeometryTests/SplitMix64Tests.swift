import PortolanGeometry
import Testing

@Suite struct SplitMix64Tests {
  @Test func `Numbers are those of the reference implementation`() {
    var numbers = SplitMix64(seed: 1_234_567)
    let first: [UInt64] = (0..<5).map { _ in numbers.next() }
    #expect(
      first == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test func `Fractions are at least 0 and below 1`() {
    var numbers = SplitMix64(seed: 3)
    let fractions = (0..<1_000).map { _ in numbers.fraction() }
    #expect(fractions.allSatisfy { $0 >= 0 && $0 < 1 })
  }
}
