internal import PortolanJSON

extension FuzzTarget {
  /// A document is read, written in both layouts and read again.
  static let json = FuzzTarget(
    "json", words: FormatWords.json, form: .json, texts: DocumentSeeds.json
  ) { data in
    let value = try JSONValue(parsing: data)
    _ = value.hashValue
    for layout in [JSONValue.Layout.compact, .indented] {
      let copy = try FuzzFinding.mustWork("read again") {
        try JSONValue(parsing: value.encoded(layout))
      }
      try FuzzFinding.check(copy == value, "is written as something else")
    }
  }
}
