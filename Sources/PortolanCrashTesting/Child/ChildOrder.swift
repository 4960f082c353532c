internal import Foundation
internal import PortolanLibrary

/// What a child is told on its command line.
struct ChildOrder: Hashable, Sendable {
  /// The first word, which tells a child from its parent.
  static let word = "child"

  var act: CrashAct
  var home: URL
  var portal: URL
  var webMap: String
  /// The area or the map.
  var subject: String
  /// The step after which it kills itself, and how many times that step passes before.
  var death: (step: LibraryStep, after: Int)?

  static func == (left: ChildOrder, right: ChildOrder) -> Bool {
    left.arguments == right.arguments
  }

  func hash(into hasher: inout Hasher) { hasher.combine(arguments) }

  var arguments: [String] {
    [
      Self.word, act.rawValue, home.path(percentEncoded: false), portal.absoluteString, webMap,
      subject,
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
    guard arguments.count >= 6, arguments[0] == Self.word,
      let act = CrashAct(rawValue: arguments[1]),
      let portal = URL(string: arguments[3])
    else { return nil }
    self.init(
      act, home: URL(filePath: arguments[2], directoryHint: .isDirectory), portal: portal,
      webMap: arguments[4], subject: arguments[5])
    if arguments.count >= 8, let step = LibraryStep(rawValue: arguments[6]) {
      death = (step, Int(arguments[7]) ?? 0)
    }
  }
}
