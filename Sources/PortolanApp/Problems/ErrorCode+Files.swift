internal import PortolanArchives
internal import PortolanAuthoring
internal import PortolanConversion
internal import PortolanFiles
internal import PortolanImages
internal import PortolanPackages
internal import PortolanTiles

extension ErrorCode {
  /// The code of a ``FileError``.
  init(of error: FileError) {
    self =
      switch error {
      case .absent: .noSuchFile
      case .unreadable: .unreadable
      case .unwritable: .unwritable
      case .readOnly: .readOnly
      case .diskFull: .diskFull
      case .alreadyExists: .alreadyExists
      case .notAFile: .notAFile
      case .truncated: .truncated
      case .unsafePath: .unsafePath
      case .inUse: .inUse
      case .durabilityUnknown: .durabilityUnknown
      case .cancelled: .interrupted
      }
  }

  /// The code of an ``ArchiveError``.
  init(of error: ArchiveError) {
    self =
      switch error {
      case .unreadable: .unreadable
      case .unwritable: .unwritable
      case .alreadyExists: .alreadyExists
      case .truncated: .truncated
      case .notAnArchive: .notAnArchive
      case .damaged, .ambiguous: .damaged
      case .unsafeName: .unsafeName
      case .tooLarge: .tooLarge
      case .noSpace: .diskFull
      case .unsupported: .unsupported
      case .noSuchEntry: .noSuchEntry
      case .cancelled: .interrupted
      }
  }

  /// The code of a ``PackageError``.
  init(of error: PackageError) {
    self =
      switch error {
      case .noSuchFile: .noSuchFile
      case .unreadable: .unreadable
      case .busy: .inUse
      case .noSpace: .diskFull
      case .notAPackage: .notAPackage
      case .damaged: .damaged
      case .unsupported: .unsupported
      case .unsupportedVersion: .unsupportedVersion
      case .expired: .expired
      }
  }

  /// The code of a ``PackageUnpackerError``.
  init(of error: PackageUnpackerError) {
    self =
      switch error {
      case .isFolder: .notAFile
      case .noSpace: .diskFull
      case .unsupported: .unsupported
      case .tooLarge: .tooLarge
      }
  }

  /// The code of a ``PackageWriterError``.
  init(of error: PackageWriterError) {
    self =
      switch error {
      case .unusableName: .unusableName
      case .repeatedName: .repeatedName
      case .missingData: .missingData
      case .unreadable: .unreadable
      case .notWritable: .unwritable
      case .alreadyExists: .alreadyExists
      case .cancelled: .interrupted
      }
  }

  /// The code of a ``TileError``.
  init(of error: TileError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .damagedTile: .damagedTile
      case .damaged: .damaged
      case .unreadable: .unreadable
      case .unwritable: .unwritable
      case .alreadyExists: .alreadyExists
      case .unsupported, .cannotHold, .holdsPictures, .noTiles, .nothingToWrite: .unsupported
      case .unknownEnding: .unknownTarget
      case .tooManyTiles: .tooManyTiles
      }
  }

  /// The code of a ``RenderingError``.
  init(of error: RenderingError) {
    self =
      switch error {
      case .unusableSize: .unusableSize
      case .cancelled: .interrupted
      case .outOfMemory: .outOfMemory
      case .notDecoded: .notDecoded
      case .notEncoded: .notEncoded
      }
  }

  /// The code of a ``ConversionError``.
  init(of error: ConversionError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .unknownTarget: .unknownTarget
      case .wrongTarget: .wrongTarget
      case .meaningless: .usage
      case .unplacedExtent: .notPossible
      case .unplacedCoordinates: .unknownSpatialReference
      case .sameFile: .sameFile
      case .targetExists: .targetExists
      case .noSuchFolder: .noSuchFolder
      case .noSuchLayer: .noSuchLayer
      case .severalLayers: .severalLayers
      case .nothingToConvert, .noSuchLevels: .nothingToConvert
      case .unwritable: .unwritable
      }
  }

  /// The code of an ``AuthoringError``.
  init(of error: AuthoringError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .noSuchFile: .noSuchFile
      case .unreadable: .unreadable
      case .noFeatures: .noFeatures
      case .unusableTiles, .severalBackdrops: .unsupported
      case .invalidSpecification: .invalidSpecification
      case .targetExists: .targetExists
      case .unknownTarget: .unknownTarget
      case .noSuchFolder: .noSuchFolder
      case .unwritable: .unwritable
      }
  }

  /// The code of an ``InspectionError``.
  init(of error: InspectionError) {
    self =
      switch error {
      case .noSuchFile: .noSuchFile
      case .noSuchLayer: .noSuchLayer
      case .unknownKind, .severalPackages, .partOfShapefile: .unknownKind
      case .unreadable: .unreadable
      case .closedFormat: .closedFormat
      case .noFeatures: .noFeatures
      }
  }
}
