internal import Foundation
internal import PortolanConversion
internal import PortolanFiles

extension Problem {
  /// Something that is to stay is where a file is to be made.
  static func targetExists(_ url: URL) -> Problem {
    Problem(ConversionError.targetExists(file: url.path(percentEncoded: false)))
  }

  /// Refuses to take the place of a file, unless that was asked for.
  static func checkVacancy(of url: URL, replacing replaces: Bool) throws(Problem) {
    guard replaces || !FileSystem.live.exists(url) else { throw .targetExists(url) }
  }

  /// The same problem, of a file.
  func about(_ url: URL) -> Problem {
    var problem = self
    problem.file = url.path(percentEncoded: false)
    return problem
  }
}
