public import Foundation

/// Why a package cannot be made from a specification.
public enum AuthoringError: Error, Hashable, Sendable {
  /// The task was cancelled.
  case cancelled
  /// There is no such specification.
  case noSuchFile(file: String)
  /// The specification cannot be read.
  case unreadable(file: String, reason: String)
  /// The file holds no features that are taken into packages.
  case noFeatures(file: String)
  /// The file holds tiles, and is none of the kinds that packages show.
  case unusableTiles(file: String)
  /// A map has one backdrop, and the file would be the second.
  case severalBackdrops(file: String)
  /// The specification, or data that it names, are not as they must be.
  case invalidSpecification(file: String, problems: [SpecificationProblem])
  /// The file of the package already exists.
  case targetExists(file: String)
  /// The name of the package is not that of a mobile map package.
  case unknownTarget(file: String)
  /// There is no folder for the package.
  case noSuchFolder(file: String)
  /// The package cannot be written.
  case unwritable(file: String, reason: String)
}

extension AuthoringError: LocalizedError {
  /// How many problems of a specification are listed one by one.
  private static let mostListed = 20

  private static func list(_ problems: [SpecificationProblem], of file: String) -> String {
    var lines = problems.prefix(mostListed).map { "\(file), \($0.summary)" }
    let rest = problems.count - lines.count
    if rest > 0 { lines.append("\(file) has \(rest) more \(rest == 1 ? "problem" : "problems").") }
    return lines.joined(separator: "\n")
  }

  public var errorDescription: String? {
    switch self {
    case .cancelled: "Making the package was cancelled."
    case .noSuchFile(let file): "There is no file \(file)."
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .noFeatures(let file): "\(file) holds no features that a package can take."
    case .unusableTiles(let file):
      "\(file) \(OtherTiles.fault)"
    case .severalBackdrops(let file):
      "A map has one backdrop, so that \(file) cannot be the second."
    case .invalidSpecification(let file, let problems):
      "No package can be made from \(file).\n" + Self.list(problems, of: file)
    case .targetExists(let file): "\(file) exists already."
    case .unknownTarget(let file): "\(file) is not the name of a mobile map package."
    case .noSuchFolder(let file): "There is no folder for \(file)."
    case .unwritable(let file, let reason): "\(file) cannot be written: \(reason)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .cancelled: nil
    case .noSuchFile: "Check the path; relative ones count from the present folder."
    case .unreadable: "Check that the file is complete and in UTF-8, and that you may read it."
    case .noFeatures:
      "Features are read from \(DataOpener.known) files, tiles from .tpk, .tpkx and .vtpk. "
        + "Convert the file to one of them first."
    case .unusableTiles: OtherTiles.advice
    case .severalBackdrops: "Choose one of the tile packages."
    case .invalidSpecification: "Correct the specification, or the files that it names."
    case .targetExists: "Choose another name."
    case .unknownTarget: "Let its name end in .mmpk."
    case .noSuchFolder: "Make the folder first, or check its name."
    case .unwritable: "Check that you may write there, and that there is enough free space."
    }
  }
}
