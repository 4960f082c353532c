import Foundation

/// The targets of the package and what each depends on, as Package.swift declares them.
struct Manifest {
  /// The targets of each library that others can use.
  let libraries: [String: Set<String>]
  private var dependencies: [String: Set<String>] = [:]

  init() throws {
    let text = try String(
      contentsOf: Sources.root.deletingLastPathComponent().appending(path: "Package.swift"),
      encoding: .utf8)
    libraries = Dictionary(
      text.matches(of: /\.library\(\s*name: "(\w+)",[^\[]*targets: \[([^\]]*)\]/).map { match in
        (String(match.1), Set(match.2.matches(of: /"(\w+)"/).map { String($0.1) }))
      }, uniquingKeysWith: { $0.union($1) })
    for match in text.matches(of: /module\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?/) {
      let names = (match.2 ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
      dependencies[String(match.1)] = Set(names)
    }
  }

  /// The declared dependencies of a module.
  func dependencies(of module: String) -> Set<String> { dependencies[module] ?? [] }

  /// The targets themselves and all that they depend on, directly or not.
  func closure(of targets: [String]) -> Set<String> {
    var known: Set<String> = []
    var waiting = targets
    while let next = waiting.popLast() {
      guard known.insert(next).inserted else { continue }
      waiting += dependencies[next] ?? []
    }
    return known
  }
}
