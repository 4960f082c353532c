/// Whom a map is credited to.
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

  /// What stands between the commas, to be compared.
  private static func parts(of name: String) -> [Substring] {
    name.lowercased().split(separator: ",").compactMap { part in
      let words = part.split { $0.isWhitespace || $0 == "." }
      return words.isEmpty ? nil : Substring(words.joined(separator: " "))
    }
  }
}
