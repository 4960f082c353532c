internal import Foundation
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanPortal
internal import PortolanTransport

extension JobInterruption {
  /// What an error of the work means for its job: what it waits for, or why it failed.
  init(_ error: any Error) {
    switch error {
    case let error as JobInterruption: self = error
    case is CancellationError: self = .stopped
    case let error as PortalError: self.init(error)
    case let error as OfflineMapError: self.init(error)
    case LibraryError.cancelled: self = .stopped
    case LibraryError.diskFull: self = .waiting(.space(missing: 0))
    case let error as LibraryError: self = .failed(JobFailure(error, kind: .device))
    default: self = .failed(JobFailure(error, kind: .damaged))
    }
  }

  private init(_ error: PortalError) {
    switch error {
    case .cancelled: self = .stopped
    case .transport(.cancelled): self = .stopped
    case .transport(.offline): self = .waiting(.network)
    case .transport(.diskFull(_, let missing)): self = .waiting(.space(missing: missing ?? 0))
    case .transport(.storage): self = .failed(JobFailure(error, kind: .device))
    case .signInNeeded(let host): self = .waiting(.signIn(host: host))
    case .notFound: self = .failed(JobFailure(error, kind: .absent))
    case .notPermitted: self = .failed(JobFailure(error, kind: .signIn))
    default:
      self = .failed(JobFailure(error, kind: error.isTransient ? .transient : .refused))
    }
  }

  private init(_ error: OfflineMapError) {
    let kind: JobFailureKind =
      switch error {
      case .packagingNotComplete, .packagingFailed, .noPackages: .absent
      case .damaged: .damaged
      case .badParameters: .refused
      }
    self = .failed(JobFailure(error, kind: kind))
  }
}

extension JobFailure {
  /// An error in sentences.
  init(_ error: any Error, kind: JobFailureKind) {
    let localized = error as? any LocalizedError
    self.init(
      message: localized?.errorDescription ?? error.localizedDescription,
      advice: localized?.recoverySuggestion, kind: kind)
  }
}
