internal import Foundation
internal import PortolanConversion

extension Problem {
  /// The problem that a file which must stay is where another is to be made.
  static func targetExists(_ url: URL) -> Problem {
    Problem(ConversionError.targetExists(file: url.path(percentEncoded: false)))
  }

  /// The same problem, of a file.
  func about(_ url: URL) -> Problem {
    var problem = self
    problem.file = url.path(percentEncoded: false)
    return problem
  }
}
