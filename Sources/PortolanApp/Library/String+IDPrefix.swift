extension String {
  /// Whether this is the beginning of an id, long enough not to be meant as a word.
  ///
  /// An ellipsis after it, as in tables that shorten ids, is copied along easily.
  func isBeginning(ofID id: String) -> Bool {
    let beginning = (hasSuffix("…") ? String(dropLast()) : self).lowercased()
    return beginning.count >= 4 && beginning.count < id.count
      && id.lowercased().hasPrefix(beginning)
  }
}

extension Sequence<String> {
  /// The only id that begins with a text.
  func onlyID(startingWith text: String) -> String? {
    let found = Set(filter { text.isBeginning(ofID: $0) })
    return found.count == 1 ? found.first : nil
  }
}
