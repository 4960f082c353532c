public import Foundation
internal import PortolanFeatures
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanTransport
internal import PortolanWebMaps

/// What went wrong, in sentences for people.
public struct Problem: Error, Hashable, Sendable {
  /// Kinds of problems, by what people can do about them.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Something failed.
    case failure
    /// What was asked for is not there.
    case absence
    /// Somebody has to sign in.
    case signIn
    /// There is no network.
    case network
    /// It was cancelled.
    case cancellation
  }

  /// What failed.
  public var message: String
  /// What to do next, if there is something to do.
  public var suggestion: String?
  /// What kind of problem it is.
  public var kind: Kind

  /// Creates a problem.
  public init(message: String, suggestion: String? = nil, kind: Kind = .failure) {
    self.message = message
    self.suggestion = suggestion
    self.kind = kind
  }

  /// Puts an error into sentences.
  public init(_ error: any Error) {
    let localized = error as? any LocalizedError
    message =
      error is CancellationError
      ? "It was cancelled." : localized?.errorDescription ?? "Something went wrong: \(error)."
    suggestion = localized?.recoverySuggestion
    kind = Kind(of: error)
  }
}

extension Problem.Kind {
  fileprivate init(of error: any Error) {
    self =
      switch error {
      case PackageError.noSuchFile: .absence
      case LibraryError.noSuchMap, LibraryError.notInTrash, LibraryError.notKept,
        LibraryError.filesMissing:
        .absence
      case JobError.unknown: .absence
      case FeatureStoreError.noSuchTable, FeatureStoreError.noSuchField: .absence
      case FeatureStoreError.unanswered(let query): Self(query.cause)
      case FeatureEditError.noSuchTable, FeatureEditError.noSuchRow,
        FeatureEditError.noSuchAttachment, FeatureEditError.unknownField:
        .absence
      case is CancellationError: .cancellation
      case OnlineMapError.portal(let error): Self(of: error)
      case OnlineMapError.cancelled: .cancellation
      case let error as PortalError: Self(of: error)
      case let error as TransportError: Self(of: error)
      case let problem as Problem: problem.kind
      default: .failure
      }
  }

  private init(_ cause: UnansweredQuery.Cause) {
    self =
      switch cause {
      case .signIn: .signIn
      case .network: .network
      case .absence: .absence
      case .failure: .failure
      }
  }

  private init(of error: PortalError) {
    self =
      switch error {
      case .cancelled: .cancellation
      case .transport(let error): Self(of: error)
      case .signInNeeded, .signIn(.refused), .signIn(.denied), .signIn(.notSignedIn): .signIn
      case .notFound: .absence
      case .part(_, let error): Self(of: error)
      default: .failure
      }
  }

  private init(of error: TransportError) {
    self =
      switch error {
      case .cancelled: .cancellation
      case .offline: .network
      default: .failure
      }
  }
}

extension Problem: LocalizedError {
  public var errorDescription: String? { message }

  public var recoverySuggestion: String? { suggestion }
}
