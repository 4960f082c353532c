/// Names of which no two are the same, so that each can be a part of a URL.
enum DistinctNames {
  /// The names in their order; a repeated name gets a number behind it.
  static func of(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    let given = Set(names)
    return names.map { name in
      var distinct = name
      var number = 2
      // A given name takes precedence over a generated one.
      while taken.contains(distinct) || (distinct != name && given.contains(distinct)) {
        distinct = "\(name)-\(number)"
        number += 1
      }
      taken.insert(distinct)
      return distinct
    }
  }
}
