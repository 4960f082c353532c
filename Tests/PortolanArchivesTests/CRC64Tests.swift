import Foundation
import PortolanArchives
import Testing

@Suite struct CRC64Tests {
  @Test(arguments: [("", 0), ("123456789", 0x995D_C9BB_DF19_39FA)] as [(String, UInt64)])
  func `The checksum is that of the catalogue`(_ text: String, _ checksum: UInt64) {
    #expect(CRC64.checksum(of: Data(text.utf8)) == checksum)
  }
}
