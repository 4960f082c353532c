internal import Foundation
internal import PortolanREPL

extension FuzzTarget {
  /// A line of the shell is cut into words and understood, and not run.
  static let commandLine = FuzzTarget(
    "command-line",
    words: [
      "\"", "'", "\\", " ", "--", "--json", "--help", "--layer=", "-h", "-68.2,44.3", "=", "é",
      "open ", "identify ", "\t", "\u{301}", "\u{200D}",
    ],
    texts: [
      "open \"A map.mmpk\" --map=2 --json", "identify -68.2,44.3 --quiet", "help open",
      "go-to Home\\ bay --no-color", "show 'Old wells' --offline", "view --help",
    ]
  ) { data in
    let line = String(decoding: data, as: UTF8.self)
    _ = try Invocation(
      parsing: WordSplitter.words(of: line), commands: .standard, options: GlobalOptions())
  }
}
