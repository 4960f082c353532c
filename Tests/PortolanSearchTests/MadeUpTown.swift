/// A town that nobody lives in: the same names and addresses each time.
///
/// Docs/SEARCH.md says how it, and the queries on it, are made.
struct MadeUpTown {
  private static let trees = [
    "Alder", "Ashby", "Aspen", "Birch", "Cedar", "Chestnut", "Cypress", "Elder", "Fern", "Hazel",
    "Hawthorn", "Hickory", "Juniper", "Larch", "Laurel", "Linden", "Magnolia", "Mulberry", "Myrtle",
    "Poplar", "Rowan", "Sequoia", "Spruce", "Sycamore", "Tamarack", "Walnut", "Willow", "Yarrow",
  ]
  private static let endings = ["", "wood", "field", "brook", "gate", "moor", "ridge"]
  private static let kinds = [
    "Street", "Avenue", "Road", "Lane", "Boulevard", "Drive", "Court", "Terrace",
  ]
  private static let towns = ["Mapleham", "Northbridge", "Saltmarsh", "Kingsferry"]
  private static let sights = [
    "School", "Library", "Fire Station", "Pumping Station", "Water Tower", "Playground", "Museum",
    "Cemetery",
  ]

  /// The labels that can be found.
  let labels: [String]

  init() {
    var numbers = SeededNumbers(1868)
    var streets: [(name: String, town: String)] = []
    for tree in Self.trees {
      for ending in Self.endings {
        guard let kind = Self.kinds.randomElement(using: &numbers),
          let town = Self.towns.randomElement(using: &numbers)
        else { continue }
        streets.append(("\(tree)\(ending) \(kind)", town))
      }
    }
    var labels: Set<String> = []
    for street in streets {
      labels.insert(street.name)
      for _ in 0..<20 {
        let number = Int.random(in: 1...400, using: &numbers)
        labels.insert("\(number) \(street.name), \(street.town)")
      }
    }
    for tree in Self.trees {
      for sight in Self.sights.shuffled(using: &numbers).prefix(3) {
        labels.insert("\(tree)field \(sight)")
      }
    }
    for number in 1...400 { labels.insert("H-\(1000 + number * 7)") }
    self.labels = labels.sorted()
  }
}

/// A text that somebody types, and what is meant by it.
struct TypedQuery: Hashable, Sendable, CustomStringConvertible {
  /// The kind of difference from the intended text.
  enum Kind: String, CaseIterable, Sendable {
    case exact, prefix, mistyped, abbreviated, reordered
  }

  let kind: Kind
  let text: String
  let answer: String

  var description: String { "\(kind): \"\(text)\" for \"\(answer)\"" }

  /// Queries for labels, the same number of each kind.
  static func make(_ count: Int, from labels: [String], seed: UInt64) -> [TypedQuery] {
    var numbers = SeededNumbers(seed)
    return Kind.allCases.flatMap { kind -> [TypedQuery] in
      var queries: [TypedQuery] = []
      while queries.count < count / Kind.allCases.count {
        guard let label = labels.randomElement(using: &numbers),
          let text = typed(label.lowercased(), kind, &numbers)
        else { continue }
        queries.append(TypedQuery(kind: kind, text: text, answer: label))
      }
      return queries
    }
  }

  private static func typed(
    _ label: String, _ kind: Kind, _ numbers: inout SeededNumbers
  ) -> String? {
    switch kind {
    case .exact: label
    case .prefix: prefix(of: label, &numbers)
    case .mistyped: mistyped(label, &numbers)
    case .abbreviated: abbreviated(label)
    case .reordered: reordered(label, &numbers)
    }
  }

  /// All but the last one to three letters, where five or more are left.
  private static func prefix(of label: String, _ numbers: inout SeededNumbers) -> String? {
    let cut = Int.random(in: 1...3, using: &numbers)
    let text = String(label.dropLast(cut))
    return text.count >= 5 && text.last != " " ? text : nil
  }

  /// One letter left out, doubled, replaced or exchanged with the next, in a word of five letters or
  /// more.
  private static func mistyped(_ label: String, _ numbers: inout SeededNumbers) -> String? {
    var words = label.split(separator: " ").map(String.init)
    let long = words.indices.filter { words[$0].count >= 5 && words[$0].allSatisfy(\.isLetter) }
    guard let place = long.randomElement(using: &numbers) else { return nil }
    var letters = Array(words[place])
    let letter = Int.random(in: 0..<letters.count - 1, using: &numbers)
    switch Int.random(in: 0..<4, using: &numbers) {
    case 0: letters.remove(at: letter)
    case 1: letters.insert(letters[letter], at: letter)
    case 2: letters[letter] = "abcdefghijklmnopqrstuvwxyz".randomElement(using: &numbers) ?? "x"
    default: letters.swapAt(letter, letter + 1)
    }
    words[place] = String(letters)
    let text = words.joined(separator: " ")
    return text == label ? nil : text
  }

  private static func abbreviated(_ label: String) -> String? {
    let short = [
      "street": "st", "avenue": "ave", "road": "rd", "lane": "ln", "boulevard": "blvd",
      "drive": "dr", "court": "ct", "terrace": "ter", "station": "sta", "north": "n", "south": "s",
      "west": "w", "east": "e", "mount": "mt", "mountain": "mtn", "point": "pt", "fort": "ft",
      "island": "isl", "saint": "st", "harbor": "hbr", "park": "pk",
    ]
    let words = label.split(separator: " ").map { word in
      let bare = word.filter { $0 != "," }
      return short[String(bare)] ?? String(bare)
    }
    let text = words.joined(separator: " ")
    return text == label.filter { $0 != "," } ? nil : text
  }

  private static func reordered(_ label: String, _ numbers: inout SeededNumbers) -> String? {
    let words = label.filter { $0 != "," }.split(separator: " ")
    guard words.count > 1 else { return nil }
    let shuffled = words.shuffled(using: &numbers)
    return shuffled == words ? nil : shuffled.joined(separator: " ")
  }
}
