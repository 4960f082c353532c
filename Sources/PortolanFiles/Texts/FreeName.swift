/// Names for things of which another has the wanted one.
package enum FreeName {
  /// The wanted name if it is free, else the first that is: `Route 66 (2)`, `Route 66 (3)`, ...
  ///
  /// Of a name that has such a number already only the number is another one; a year is none.
  ///
  /// - Parameters:
  ///   - wanted: The wanted name.
  ///   - isTaken: Whether something else has a name.
  /// - Returns: A name that nothing has.
  package static func like(_ wanted: String, isTaken: (String) -> Bool) -> String {
    guard isTaken(wanted) else { return wanted }
    let numbered = wanted.prefixMatch(of: /(.*[^ ]) \([1-9][0-9]{0,2}\)$/)
    let stem = numbered.map { String($0.1) } ?? wanted
    var number = 2
    while isTaken("\(stem) (\(number))") { number += 1 }
    return "\(stem) (\(number))"
  }
}
