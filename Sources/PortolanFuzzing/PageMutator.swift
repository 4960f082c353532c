internal import Foundation
internal import PortolanGeometry

/// Changes files of pages, such as databases, without moving what follows a change: a
/// database whose pages are shifted is refused at once.
struct PageMutator {
  private static let pageSize = 4096

  private var random: SplitMix64

  /// Creates a mutator; the same seed makes the same changes.
  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// A changed copy of `input`.
  mutating func mutate(_ input: Data) -> Data {
    var bytes = [UInt8](input)
    for _ in 0...random.below(6) where bytes.count > Self.pageSize { change(&bytes) }
    return Data(bytes)
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let pageCount = bytes.count / Self.pageSize
    let page = random.below(pageCount) * Self.pageSize
    // The headers of pages and their lists of cells are at the front.
    let place = page + random.below(random.below(2) == 0 ? 64 : Self.pageSize)
    switch random.below(9) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = random.byte()
    case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF][random.below(4)]
    case 3: bytes.overwrite(at: place, with: (0..<1 + random.below(9)).map { _ in 0xFF })
    case 4: bytes.swapAt(place, page + random.below(Self.pageSize))
    case 5: bytes.overwrite(at: place, with: pageNumber(below: pageCount))
    case 6: copyPage(in: &bytes, to: page, count: pageCount)
    case 7: changeText(in: &bytes, from: place)
    default: cut(&bytes, at: place)
    }
  }

  /// The number of a page as written in the pages of trees.
  private mutating func pageNumber(below count: Int) -> [UInt8] {
    let number = random.below(count + 3)
    return [0, 0, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
  }

  private mutating func copyPage(in bytes: inout [UInt8], to page: Int, count: Int) {
    let source = random.below(count) * Self.pageSize
    bytes.replaceSubrange(page..<page + Self.pageSize, with: bytes[source..<source + Self.pageSize])
  }

  /// Changes what is read as text: names of tables, SQL, XML and JSON.
  private mutating func changeText(in bytes: inout [UInt8], from place: Int) {
    let printable = UInt8(ascii: "A")...UInt8(ascii: "z")
    guard let text = bytes[place...].firstIndex(where: printable.contains) else { return }
    bytes[text] = UInt8(ascii: " ") + UInt8(random.below(95))
  }

  private mutating func cut(_ bytes: inout [UInt8], at place: Int) {
    guard random.below(8) == 0 else { return }
    bytes.removeSubrange(max(Self.pageSize, place)...)
  }
}
