internal import Foundation
internal import PortolanLibrary

/// The command line of a child.
struct ChildOrder: Hashable, Sendable {
  /// The first word, which distinguishes a child from its parent.
  static let word = "child"

  var act: CrashAct
  var home: URL
  var portal: URL
  var webMap: String
  /// The area or the map.
  var subject: String
  /// The least number of the groups of edits that it makes.
  var firstEdit = 0
  /// The number of the version that it rolls back; how many changes of a job it sees before it stops that;
  /// of an update that is refused, whether it forgets the job instead of cancelling it.
  var version = 0
  /// The step after which it kills itself, and how many times that step passes before.
  var death: (step: LibraryStep, after: Int)?

  static func == (left: ChildOrder, right: ChildOrder) -> Bool {
    left.arguments == right.arguments
  }

  func hash(into hasher: inout Hasher) { hasher.combine(arguments) }

  var arguments: [String] {
    [
      Self.word, act.rawValue, home.path(percentEncoded: false), portal.absoluteString, webMap,
      subject, String(firstEdit), String(version),
    ] + (death.map { [$0.step.rawValue, String($0.after)] } ?? [])
  }

  init(_ act: CrashAct, home: URL, portal: URL, webMap: String, subject: String) {
    self.act = act
    self.home = home
    self.portal = portal
    self.webMap = webMap
    self.subject = subject
  }

  /// Reads a command line; `nil` if it is not one for a child.
  init?(_ arguments: [String]) {
    guard arguments.count >= 8, arguments[0] == Self.word,
      let act = CrashAct(rawValue: arguments[1]),
      let portal = URL(string: arguments[3])
    else { return nil }
    self.init(
      act, home: URL(filePath: arguments[2], directoryHint: .isDirectory), portal: portal,
      webMap: arguments[4], subject: arguments[5])
    firstEdit = Int(arguments[6]) ?? 0
    version = Int(arguments[7]) ?? 0
    if arguments.count >= 10, let step = LibraryStep(rawValue: arguments[8]) {
      death = (step, Int(arguments[9]) ?? 0)
    }
  }
}
