/// A fault in a specification, with its place.
public struct SpecificationProblem: Error, Hashable, Sendable, Codable {
  /// The line of the file, from 1; `nil` if that is not known.
  public var line: Int?
  /// The place in the document, as in `maps[0].layers[2].renderer`; empty for all of it.
  public var path: String
  /// What is wrong, in a sentence.
  public var message: String

  /// Creates a problem.
  public init(line: Int?, path: String, message: String) {
    self.line = line
    self.path = path
    self.message = message
  }

  /// The problem with its place, on one line.
  public var summary: String {
    let place = [line.map { "line \($0)" }, path.isEmpty ? nil : path].compactMap(\.self)
    return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
  }
}

/// Collects what is wrong with a specification while it is read.
final class SpecificationProblems {
  private let text: SpecificationText
  private(set) var all: [SpecificationProblem] = []

  init(_ text: SpecificationText, _ known: [SpecificationProblem] = []) {
    self.text = text
    all = known
  }

  /// Adds what was found later, but for what may follow from what is known: at the same place, or
  /// within it.
  func add(_ others: SpecificationProblems) {
    let known = Set(all.map(\.path)).subtracting([""])
    all += others.all.filter { other in
      !known.contains { place in
        other.path == place || other.path.hasPrefix(place + ".")
          || other.path.hasPrefix(place + "[")
      }
    }
  }

  func add(_ message: String, at path: SpecificationPath) {
    all.append(text.problem(message, at: path))
  }
}

extension SpecificationText {
  func problem(_ message: String, at path: SpecificationPath) -> SpecificationProblem {
    SpecificationProblem(line: line(of: path), path: path.description, message: message)
  }
}
