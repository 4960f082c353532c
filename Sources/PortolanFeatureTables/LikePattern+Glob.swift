internal import PortolanFeatures

extension LikePattern {
  /// The pattern as SQLite's `GLOB`, which heeds case, writes it.
  var glob: String {
    var glob = ""
    for element in elements {
      switch element {
      case .anything: glob += "*"
      case .one: glob += "?"
      case .scalar("*"): glob += "[*]"
      case .scalar("?"): glob += "[?]"
      case .scalar("["): glob += "[[]"
      case .scalar(let scalar): glob.unicodeScalars.append(scalar)
      }
    }
    return glob
  }
}
