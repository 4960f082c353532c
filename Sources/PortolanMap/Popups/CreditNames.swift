/// The names of those whom a map is credited to.
public enum CreditNames {
  /// Each of the credits once.
  ///
  /// Those that differ in case or in a full stop only are the same, and one that another credit has between
  /// its commas is named there. Nothing else is left out: "Portland, Maine" and "Bangor, Maine" both stay.
  public static func once(_ all: [String]) -> [String] {
    var seen: Set<String> = []
    let names = all.filter { seen.insert($0).inserted }
    let parts = names.map(Self.parts)
    return names.indices.filter { index in
      !parts[index].isEmpty
        && !names.indices.contains { other in
          let (here, there) = (parts[index], parts[other])
          let isNamedThere = there.count > here.count && there.contains(here)
          return isNamedThere || (other < index && there == here)
        }
    }.map { names[$0] }
  }

  /// Each of the credits once, as one text: with commas between names, while a sentence ends with its full stop.
  public static func text(of all: [String]) -> String {
    once(all).map { $0.trimmingBlanks() }.reduce(into: "") { text, credit in
      if !text.isEmpty { text += isSentence(text) ? " " : ", " }
      text += credit
    }
  }

  /// Whether a text ends as sentences do; short words with a full stop are abbreviations, such as "Inc.".
  private static func isSentence(_ text: String) -> Bool {
    guard let last = text.last, ".!?".contains(last) else { return false }
    return last != "." || text.dropLast().reversed().prefix { $0.isLetter }.count >= 5
  }

  /// The parts between the commas, to be compared.
  private static func parts(of name: String) -> [Substring] {
    name.lowercased().split(separator: ",").compactMap { part in
      let words = part.split { $0.isWhitespace || $0 == "." }
      return words.isEmpty ? nil : Substring(words.joined(separator: " "))
    }
  }
}
