internal import PortolanFeatures
internal import PortolanGeodatabase
internal import PortolanGeometry
internal import PortolanJSON
internal import PortolanMap
internal import PortolanSearch

extension ErrorCode {
  /// The code of a ``FeatureStoreError``.
  init(of error: FeatureStoreError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .noSuchTable: .noSuchTable
      case .noSuchField: .noSuchField
      case .badWhereClause: .badWhereClause
      case .unreadableRow: .unreadableRow
      case .damaged: .damaged
      case .unreadable: .unreadable
      case .busy: .inUse
      case .unsupported: .unsupported
      case .unanswered(let query): Self(of: query.cause)
      }
  }

  /// The code of a ``FeatureEditError``.
  init(of error: FeatureEditError) {
    self =
      switch error {
      case .cancelled: .interrupted
      case .noSuchTable: .noSuchTable
      case .tableNotEditable: .tableNotEditable
      case .noSuchRow: .noSuchRow
      case .noSuchAttachment: .noSuchAttachment
      case .noSuchEdit: .noSuchEdit
      case .noAttachments: .noAttachments
      case .cannotRelate: .cannotRelate
      case .objectIDsUsedUp: .objectIdsUsedUp
      case .unknownField: .noSuchField
      case .duplicateField: .duplicateField
      case .readOnlyField: .readOnlyField
      case .wrongType: .wrongType
      case .outOfRange: .outOfRange
      case .textTooLong: .textTooLong
      case .dataTooLong: .dataTooLong
      case .nullNotAllowed: .nullNotAllowed
      case .valueNotInDomain: .valueNotInDomain
      case .unknownSubtype: .unknownSubtype
      case .geometryNotAllowed: .geometryNotAllowed
      case .wrongGeometryType: .wrongGeometryType
      case .missingHeights: .missingHeights
      case .surplusOrdinates: .surplusOrdinates
      case .incompleteGeometry: .incompleteGeometry
      case .notFinite: .notFinite
      case .outsideCoordinateRange: .outsideCoordinateRange
      case .ringsCross: .ringsCross
      case .nothingToUndo: .nothingToUndo
      case .changedByOthers, .conflictChanged: .changedMeanwhile
      case .fileReadOnly, .folderReadOnly: .readOnly
      case .diskFull: .diskFull
      case .locked: .inUse
      case .closed: .closed
      case .unreadable: .unreadable
      case .damaged: .damaged
      case .refused: .refused
      case .writeFailed: .unwritable
      case .notMade(let query): query.cause == .failure ? .refused : Self(of: query.cause)
      case .refusedForNow: .rateLimited
      case .unconfirmed, .unanswered: .unconfirmed
      }
  }

  /// The code of a ``GeodatabaseWriterError``.
  init(of error: GeodatabaseWriterError) {
    self =
      switch error {
      case .invalidSchema: .invalidSchema
      case .noSuchTable: .noSuchTable
      case .invalidValue: .invalidValue
      case .notWritable: .unwritable
      case .diskFull: .diskFull
      }
  }

  /// The code of a ``SearchError``.
  init(of error: SearchError) {
    self =
      switch error {
      case .nothingToSearch: .nothingToSearch
      case .damagedIndex: .damagedIndex
      case .unreadable: .unreadable
      case .unwritable: .unwritable
      case .tooLarge: .tooLarge
      case .unreadableLayer: .unreadableLayer
      case .serviceFailed(_, _, let code): code.flatMap(Self.init(rawValue:)) ?? .failed
      case .cancelled: .interrupted
      }
  }

  /// The code of a ``GeometryError``.
  init(of error: GeometryError) {
    self =
      switch error {
      case .malformed: .malformed
      case .unsupported: .unsupported
      case .unknownSpatialReference: .unknownSpatialReference
      case .noTransformation: .noTransformation
      case .outsideProjection: .outsideProjection
      case .invalidGeometry: .invalidGeometry
      case .operationFailed: .operationFailed
      }
  }

  /// The code of a ``JSONError``.
  init(of error: JSONError) {
    self =
      switch error {
      case .malformed: .malformed
      case .nestedTooDeep: .nestedTooDeep
      case .tooManyValues: .tooLarge
      }
  }

  /// The code of a ``WebMapError``.
  init(of error: WebMapError) {
    self =
      switch error {
      case .notJSON: .malformed
      case .notAWebMap: .notAWebMap
      case .unsupportedVersion: .unsupportedVersion
      case .pathLeavesPackage: .pathLeavesPackage
      }
  }

  private init(of cause: UnansweredQuery.Cause) {
    self =
      switch cause {
      case .signIn: .signInNeeded
      case .network: .noNetwork
      case .silence: .unreachable
      case .absence: .notFound
      case .failure: .unanswered
      }
  }
}
