import Foundation
import PortolanCrypto
import Testing

@Suite struct Base64URLTests {
  @Test(
    arguments: [
      ([], ""), ([0xfb], "-w"), ([0xff, 0xff], "__8"), ([0xfb, 0xef, 0xbe], "----"),
      ([0x66, 0x6f, 0x6f, 0x62], "Zm9vYg"),
    ] as [([UInt8], String)])
  func `Bytes become text and come back`(_ bytes: [UInt8], _ text: String) {
    #expect(Base64URL.encode(Data(bytes)) == text)
    #expect(Base64URL.decode(text) == Data(bytes))
  }

  @Test(arguments: ["a", "+w", "_w==", "ab cd", "é"])
  func `Other text means nothing`(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `Random bytes are as many as asked for, and not the same twice`() {
    #expect(RandomSource.system.bytes(0).isEmpty)
    #expect(RandomSource.system.bytes(32).count == 32)
    #expect(RandomSource.system.bytes(32) != RandomSource.system.bytes(32))
  }
}
