internal import Foundation
internal import PortolanMap

extension FuzzTarget {
  /// A web map is read, walked to its last symbol, written strictly and read again.
  static let webMap = FuzzTarget(
    "web-map", cost: 4, words: FormatWords.json + MapSeeds.words, form: .json, texts: MapSeeds.maps
  ) { data in
    let map = try WebMap(parsing: data)
    WebMapWalk.visit(map)
    let copy = try FuzzFinding.mustWork("read again") { try WebMap(parsing: map.encoded()) }
    try FuzzFinding.check(
      copy.encoded() == map.encoded(), "is written differently the second time")
  }
}
