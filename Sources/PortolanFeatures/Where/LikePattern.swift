/// A pattern of `LIKE`: `%` stands for any characters, `_` for one.
package struct LikePattern: Hashable, Sendable {
  package enum Element: Hashable, Sendable {
    case anything
    case one
    case scalar(Unicode.Scalar)
  }

  package let elements: [Element]

  /// The longest pattern, in code points.
  ///
  /// Written for SQLite, one takes at most four bytes, and SQLite takes patterns of 50,000.
  static let maximumCount = 10_000

  /// Reads a pattern; after `escape`, the next character stands for itself.
  ///
  /// `nil` if the pattern ends with the escape.
  init?(_ text: String, escape: Unicode.Scalar?) {
    var elements: [Element] = []
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        elements.append(.scalar(scalar))
        isEscaped = false
      } else if scalar == escape {
        isEscaped = true
      } else if scalar == "%" {
        if elements.last != .anything { elements.append(.anything) }
      } else {
        elements.append(scalar == "_" ? .one : .scalar(scalar))
      }
    }
    guard !isEscaped else { return nil }
    self.elements = elements
  }

  /// Whether the whole text fits the pattern.
  ///
  /// After a mismatch only the last `%` is tried again, so that no pattern takes more than the
  /// product of both lengths.
  func matches(_ text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var (position, place) = (0, 0)
    var retry: (position: Int, place: Int)?
    while position < scalars.count {
      if place < elements.count, elements[place] == .anything {
        place += 1
        retry = (position, place)
      } else if place < elements.count, elements[place].fits(scalars[position]) {
        position += 1
        place += 1
      } else if let last = retry {
        retry = (last.position + 1, last.place)
        (position, place) = (last.position + 1, last.place)
      } else {
        return false
      }
    }
    return elements[place...].allSatisfy { $0 == .anything }
  }
}

extension LikePattern.Element {
  fileprivate func fits(_ scalar: Unicode.Scalar) -> Bool {
    switch self {
    case .anything: false
    case .one: true
    case .scalar(let expected): expected == scalar
    }
  }
}
