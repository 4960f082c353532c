import Foundation
import Testing

/// A pattern the sources must not contain, and why.
struct Ban: CustomTestStringConvertible, Sendable {
  let pattern: String
  let reason: String
  var allowedIn: Set<String> = []

  var testDescription: String { pattern }
}

@Suite struct ConventionTests {
  static let bans = [
    Ban(
      // The SDKs call it AuthenticationManager, and so does everyone who knows them.
      pattern:
        #"\b(class|struct|actor|enum|protocol) (?!AuthenticationManager\b)"#
        + #"\w*(Manager|Helper|Util|Utils|Utility)\b"#,
      reason: "name the responsibility"),
    Ban(pattern: #"static (let|var) shared\b"#, reason: "pass it in; no singletons"),
    Ban(pattern: "@unchecked Sendable", reason: "use an actor or a Mutex"),
    Ban(pattern: #"Thread\.isMainThread"#, reason: "false on the main actor on Linux"),
    Ban(pattern: #"DispatchQueue\.main"#, reason: "use @MainActor"),
    Ban(pattern: #"\.(data|download|upload)\((for|from):"#, reason: "deadlocks on cancellation"),
    Ban(pattern: #"\btry!|\bas!"#, reason: "handle or rethrow"),
    Ban(
      pattern: #"\b(fatalError|preconditionFailure|assertionFailure)\("#,
      reason: "throw a typed error", allowedIn: ["PortolanTestSupport"]),
    Ban(
      pattern: #"\bprint\("#, reason: "use a Console",
      allowedIn: ["portolan", "fuzz", "benchmarks", "crash-test"]),
    Ban(
      pattern: #"(^|[ ("\\])--[a-z]"#, reason: "options are words of a command line",
      allowedIn: programs),
    Ban(
      pattern: #""[^"]*`[a-z][^`"]*`"#, reason: "commands are words of a command line",
      allowedIn: programs),
  ]

  /// The modules of the command line, and those that test it.
  private static let programs: Set<String> = [
    "PortolanREPL", "portolan", "fuzz", "benchmarks", "crash-test", "PortolanFuzzing",
  ]

  @Test(arguments: bans) func `The sources respect the conventions`(_ ban: Ban) throws {
    let regex = try Regex(ban.pattern)
    for file in try Sources.files()
    where !ban.allowedIn.contains(file.module) && file.mayHoldMatch(of: ban.pattern) {
      for (number, line) in file.lines.enumerated() where !line.isComment {
        let isBanned = line.contains(regex)
        #expect(!isBanned, "\(file.name):\(number + 1): \(ban.reason)")
      }
    }
  }

  @Test func `Nothing is left to do in a comment`() throws {
    for file in try Sources.files() where file.mayHoldMatch(of: #"\b(TODO|FIXME|XXX|HACK)\b"#) {
      Issue.record("\(file.name)")
    }
  }

  @Test func `Names in sentences are in straight double quotes`() throws {
    // The table of a code page has every character that it maps.
    for file in try Sources.files()
    where !file.name.hasSuffix("CodePage437.swift") && file.mayHoldMatch(of: "[\u{AB}\u{BB}]") {
      Issue.record("\(file.name)")
    }
  }

  @Test func `A failure that is dropped says why`() throws {
    let drop = #"\btry\?"#
    for file in try Sources.files()
    where file.module != "PortolanTestSupport" && file.mayHoldMatch(of: drop) {
      for (number, line) in file.lines.enumerated() where line.contains(/\btry\?/) {
        let before = number > 0 ? file.lines[number - 1] : ""
        let isExplained = line.contains("//") || before.isComment
        #expect(isExplained, "\(file.name):\(number + 1)")
      }
    }
  }

  @Test func `No folder is a drawer`() throws {
    let drawers: Set<String> = ["Utils", "Utilities", "Helpers", "Common", "Managers", "Misc"]
    for file in try Sources.files() {
      #expect(drawers.isDisjoint(with: file.name.split(separator: "/").map(String.init)))
    }
  }

  @Test func `No file is longer than 400 lines`() throws {
    for file in try Sources.files() {
      #expect(file.lines.count <= 400, "\(file.name)")
    }
  }
}

/// The package's own sources.
enum Sources {
  struct File {
    let module: String
    let name: String
    let lines: [Substring]
    fileprivate let text: String

    /// Whether a pattern matches anywhere in the file; going over its lines takes a hundred times as long.
    func mayHoldMatch(of pattern: String) -> Bool {
      text.range(of: "(?m)" + pattern, options: .regularExpression) != nil
    }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources").standardized

  /// Read once, for every test asks for all of them.
  private static let read = Result { try readAll() }

  static func files() throws -> [File] { try read.get() }

  private static func readAll() throws -> [File] {
    let urls = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return try (urls?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.map {
      let text = try String(contentsOf: $0, encoding: .utf8)
      let path = $0.pathComponents.dropFirst(root.pathComponents.count)
      return File(
        module: path.first ?? "", name: path.joined(separator: "/"),
        lines: text.split(separator: "\n", omittingEmptySubsequences: false), text: text)
    }
  }
}

extension Substring {
  fileprivate var isComment: Bool { trimmingPrefix(while: \.isWhitespace).hasPrefix("//") }
}
