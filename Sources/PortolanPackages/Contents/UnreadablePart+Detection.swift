internal import PortolanMap

extension UnreadablePart {
  /// The parts of a package in closed formats, by their files.
  static func parts(among paths: [String]) -> [UnreadablePart] {
    let locators = Set(paths.compactMap(locator))
    let networks = Set(paths.compactMap(network))
    return locators.sorted().map { UnreadablePart(kind: .locator, path: $0) }
      + networks.sorted().map { UnreadablePart(kind: .transportationNetwork, path: $0) }
  }

  /// A locator is a family of files with one stem.
  private static func locator(_ path: String) -> String? {
    for ending in [".loc", ".lox", ".loz", ".locb", ".loc.xml"]
    where path.lowercased().hasSuffix(ending) {
      return path.dropLast(ending.count) + ".loc"
    }
    return nil
  }

  /// A network is a folder `NAME.tn` full of files.
  private static func network(_ path: String) -> String? {
    let components = path.split(separator: "/")
    guard let place = components.firstIndex(where: { $0.lowercased().hasSuffix(".tn") }) else {
      return nil
    }
    return components[...place].joined(separator: "/")
  }
}
