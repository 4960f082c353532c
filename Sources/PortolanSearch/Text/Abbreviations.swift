/// Words of addresses that are written in more than one way.
struct Abbreviations: Sendable {
  /// The usual ones.
  static let standard = Abbreviations()

  private let others: [[UInt8]: [[UInt8]]]
  private let words: [[UInt8]]

  private init() {
    var others: [[UInt8]: [[UInt8]]] = [:]
    for group in Self.groups {
      let group = group.split(separator: " ").map { Array($0.utf8) }
      for word in group {
        for other in group where other != word && others[word]?.contains(other) != true {
          others[word, default: []].append(other)
        }
      }
    }
    self.others = others
    words = others.keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The other ways to write a word.
  func alternatives(to word: [UInt8]) -> [[UInt8]] {
    others[word]
      ?? Self.endings.compactMap { ending, other in
        guard word.count > ending.count, word.ends(with: ending) else { return nil }
        return word.dropLast(ending.count) + other
      }
  }

  /// The other ways to write the words that begin with `prefix`, once it is three letters long.
  func alternatives(toWordsFrom prefix: [UInt8]) -> [[UInt8]] {
    guard prefix.count > 2 else { return [] }
    var low = 0
    var high = words.count
    while low < high {
      let middle = (low + high) / 2
      if words[middle].lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
    }
    var found: [[UInt8]] = []
    while low < words.count, words[low].starts(with: prefix) {
      found += alternatives(to: words[low])
      low += 1
    }
    return found
  }

  /// The ends of words that are written together: "Hauptstr." for "Hauptstraße".
  private static let endings: [(ending: [UInt8], other: [UInt8])] = [
    ("str", "strasse"), ("strasse", "str"), ("pl", "platz"), ("platz", "pl"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// Groups of words that mean the same; a word may be in several.
  private static let groups = [
    "street st str", "saint st", "sainte ste", "avenue ave av", "boulevard blvd boul",
    "road rd", "drive dr", "lane ln", "court ct", "place pl", "square sq", "terrace ter terr",
    "circle cir", "highway hwy", "parkway pkwy", "expressway expy", "freeway fwy", "turnpike tpke",
    "route rte rt", "alley aly", "crescent cres", "trail trl", "bridge br", "heights hts",
    "mount mt", "mountain mtn", "fort ft", "point pt", "island isl", "harbor harbour hbr",
    "center centre ctr", "junction jct", "plaza plz", "apartment apt", "suite ste", "building bldg",
    "north n", "south s", "east e", "west w", "northeast ne", "northwest nw", "southeast se",
    "southwest sw", "first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th", "sixth 6th",
    "seventh 7th", "eighth 8th", "ninth 9th", "tenth 10th", "eleventh 11th", "twelfth 12th",
    "doctor dr", "junior jr", "township twp", "county co", "park pk", "station sta", "river riv",
  ]
}

extension [UInt8] {
  fileprivate func ends(with ending: [UInt8]) -> Bool { suffix(ending.count).elementsEqual(ending) }
}
