internal import PortolanPortal
internal import PortolanTransport
internal import PortolanWebMaps

extension ErrorCode {
  /// The code of a ``TransportError``.
  init(of error: TransportError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .offline: .noNetwork
      case .badAddress: .badAddress
      case .unknownHost: .unknownHost
      case .unreachable: .unreachable
      case .untrusted: .untrusted
      case .timedOut: .timedOut
      case .interrupted: .connectionLost
      case .malformed: .malformed
      case .tooManyRedirects: .tooManyRedirects
      case .tooLarge: .tooLarge
      case .unreadable: .unreadable
      case .storage: .unwritable
      case .diskFull: .diskFull
      }
  }

  /// The code of a ``SharingError``.
  init(of error: SharingError) {
    self =
      switch error {
      case .noSuchFile: .noSuchFile
      case .unreadable: .unreadable
      case .changed, .inUse: .inUse
      case .itemExists: .alreadyExists
      case .severalItems: .ambiguous
      case .notReplaceable: .notPossible
      case .notStored, .refused: .serverError
      case .incomplete: .truncated
      case .unknownKind: .unknownKind
      }
  }

  /// The code of a ``PortalError``.
  init(of error: PortalError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .transport(let error): Self(of: error)
      case .part(_, let error): Self(of: error)
      case .signIn(let failure): Self(of: failure)
      case .signInNeeded: .signInNeeded
      case .notPermitted: .notPermitted
      case .notFound: .notFound
      case .rateLimited: .rateLimited
      case .server: .serverError
      case .notJSON: .notJson
      case .unexpected: .unexpectedAnswer
      case .notAPortal: .notAPortal
      case .invalidID: .invalidId
      }
  }

  /// The code of a ``SignInFailure``.
  init(of error: SignInFailure) {
    self =
      switch error {
      case .badAddress, .badSetting: .badAddress
      case .refused, .denied: .signInRefused
      case .plainHTTP: .untrusted
      case .wrongState, .notACode, .timedOut, .noRedirect: .signInUnfinished
      case .notSignedIn: .signInNeeded
      case .storage(let error): Self(of: error)
      }
  }

  /// The code of a ``CredentialStoreError``.
  init(of error: CredentialStoreError) {
    self = .credentialsUnavailable
  }

  /// The code of an ``OnlineMapError``.
  init(of error: OnlineMapError) {
    self =
      switch error {
      case .portal(let error): Self(of: error)
      case .document(let error): Self(of: error)
      case .unreadable: .unreadable
      case .notAWebMap: .notAWebMap
      case .empty: .empty
      case .unsupportedLayer: .unsupported
      case .noAddress: .noAddress
      case .noSuchLayer: .noSuchLayer
      case .bingKeyNeeded: .keyNeeded
      case .cancelled: .interrupted
      }
  }
}
