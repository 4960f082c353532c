extension [String] {
  /// The text behind an option such as `--to=`; `nil` if it is not among the arguments.
  func value(of option: String) -> String? {
    first { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
  }
}
