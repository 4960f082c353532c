internal import PortolanArchives
internal import PortolanAuthoring
internal import PortolanConversion
internal import PortolanFeatures
internal import PortolanFiles
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanImages
internal import PortolanJSON
internal import PortolanJobs
internal import PortolanLibrary
internal import PortolanMap
internal import PortolanOffline
internal import PortolanPackages
internal import PortolanPortal
internal import PortolanSearch
internal import PortolanTileCache
internal import PortolanTiles
internal import PortolanTransport
internal import PortolanWebMaps

extension ErrorCode {
  /// The code of an error of any module; ``failed`` for one that is not known.
  public init(of error: any Error) {
    self =
      Self.fileCode(of: error) ?? Self.featureCode(of: error) ?? Self.portalCode(of: error)
      ?? Self.libraryCode(of: error) ?? .failed
  }

  private static func fileCode(of error: any Error) -> Self? {
    switch error {
    case let error as FileError: Self(of: error)
    case let error as ArchiveError: Self(of: error)
    case let error as PackageError: Self(of: error)
    case let error as PackageUnpackerError: Self(of: error)
    case let error as PackageWriterError: Self(of: error)
    case let error as TileError: Self(of: error)
    case let error as TileCacheError: Self(of: error)
    case let error as RenderingError: Self(of: error)
    case let error as ConversionError: Self(of: error)
    case let error as AuthoringError: Self(of: error)
    case let error as InspectionError: Self(of: error)
    default: nil
    }
  }

  private static func featureCode(of error: any Error) -> Self? {
    switch error {
    case let error as FeatureStoreError: Self(of: error)
    case let error as FeatureEditError: Self(of: error)
    case let error as GeodatabaseWriterError: Self(of: error)
    case let error as GeometryError: Self(of: error)
    case let error as JSONError: Self(of: error)
    case let error as WebMapError: Self(of: error)
    case let error as SearchError: Self(of: error)
    default: nil
    }
  }

  private static func portalCode(of error: any Error) -> Self? {
    switch error {
    case let error as TransportError: Self(of: error)
    case let error as PortalError: Self(of: error)
    case let error as CredentialStoreError: Self(of: error)
    case let error as SharingError: Self(of: error)
    case let error as OnlineMapError: Self(of: error)
    default: nil
    }
  }

  private static func libraryCode(of error: any Error) -> Self? {
    switch error {
    case is CancellationError: .interrupted
    case let error as Problem: error.code
    case let error as JobError: Self(of: error)
    case let error as JobFailure where error.isUnanswered == true: .unreachable
    case let error as JobFailure: Self(of: error.kind)
    case let error as OfflineMapError: Self(of: error)
    case let error as LibraryError: Self(of: error)
    default: nil
    }
  }
}
