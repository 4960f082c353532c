public import Foundation
internal import PortolanFeatures
internal import PortolanPackages

/// What went wrong, in sentences for people.
public struct Problem: Error, Hashable, Sendable {
  /// What failed.
  public var message: String
  /// What to do next, if there is something to do.
  public var suggestion: String?

  /// Whether what was asked for is not there.
  public var isAbsence: Bool

  /// Creates a problem.
  public init(message: String, suggestion: String? = nil, isAbsence: Bool = false) {
    self.message = message
    self.suggestion = suggestion
    self.isAbsence = isAbsence
  }

  /// Puts an error into sentences.
  public init(_ error: any Error) {
    let localized = error as? any LocalizedError
    message = localized?.errorDescription ?? "Something went wrong: \(error)."
    suggestion = localized?.recoverySuggestion
    isAbsence =
      switch error {
      case PackageError.noSuchFile: true
      case FeatureStoreError.noSuchTable, FeatureStoreError.noSuchField: true
      case FeatureEditError.noSuchTable, FeatureEditError.noSuchRow,
        FeatureEditError.noSuchAttachment, FeatureEditError.unknownField:
        true
      case let problem as Problem: problem.isAbsence
      default: false
      }
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }

  public var recoverySuggestion: String? { suggestion }
}
