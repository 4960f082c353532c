/// The names and numbers that lead to a value of a specification.
struct SpecificationPath: Hashable, Sendable {
  private enum Step: Hashable, Sendable {
    case member(String)
    case element(Int)
  }

  private var steps: [Step] = []

  /// The whole document.
  static let root = SpecificationPath()

  func member(_ name: String) -> SpecificationPath { appending(.member(name)) }

  func element(_ index: Int) -> SpecificationPath { appending(.element(index)) }

  /// The value that this one is a part of; `nil` for the whole document.
  var parent: SpecificationPath? {
    guard !steps.isEmpty else { return nil }
    var parent = self
    parent.steps.removeLast()
    return parent
  }

  private func appending(_ step: Step) -> SpecificationPath {
    var path = self
    path.steps.append(step)
    return path
  }
}

extension SpecificationPath: CustomStringConvertible {
  /// As in `maps[0].layers[2].renderer`; empty for the whole document.
  var description: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
  }
}
