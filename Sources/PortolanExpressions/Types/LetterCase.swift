extension String {
  /// The text in small letters, with the form of the Greek sigma that words end with.
  package func lowercasedInContext() -> String {
    let sigma: Unicode.Scalar = "\u{3A3}"
    let scalars = Array(unicodeScalars)
    guard scalars.contains(sigma) else { return lowercased() }
    var text = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      if scalar == sigma, Self.endsWord(index, in: scalars) {
        text.append("\u{3C2}")
      } else {
        text.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(text)
  }

  /// Whether a letter follows others of its word and is the last of them.
  private static func endsWord(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    func isLetter(_ others: some Sequence<Unicode.Scalar>) -> Bool {
      others.first { !$0.properties.isCaseIgnorable }?.properties.isCased ?? false
    }
    return isLetter(scalars[..<index].reversed()) && !isLetter(scalars[(index + 1)...])
  }
}
