internal import Foundation

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension Error {
  /// Why something failed, in words for people, as the end of a sentence.
  ///
  /// Foundation's errors of files often say no more than their number ("NSCocoaErrorDomain error
  /// 256"); then these are the system's words.
  public var plainReason: String {
    switch self {
    case let error as FileError: error.reason
    case let error as CocoaError: error.systemReason
    case let error as any LocalizedError:
      (error.errorDescription ?? localizedDescription).withoutFullStop
    default: systemReason ?? localizedDescription.withoutFullStop
    }
  }

  /// The words of the system for the number that is at the bottom of the error.
  fileprivate var systemReason: String? {
    let error = self as NSError
    if error.domain == NSPOSIXErrorDomain {
      return FileError.reason(Int32(truncatingIfNeeded: error.code))
    }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error)?.systemReason
  }
}

extension CocoaError {
  fileprivate var systemReason: String {
    if let reason = (self as any Error).systemReason { return reason }
    return switch code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "it is not there"
    case .fileReadNoPermission, .fileWriteNoPermission: FileError.reason(EACCES)
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteVolumeReadOnly: "the medium can only be read"
    case .fileWriteFileExists: "something is there already"
    case .fileReadCorruptFile: "it is damaged"
    case .fileReadInapplicableStringEncoding, .fileReadUnknownStringEncoding: "it is not UTF-8"
    case .fileReadUnknown: "it cannot be read"
    case .fileWriteUnknown: "it cannot be written"
    default: localizedDescription.withoutFullStop
    }
  }
}

extension String {
  /// A sentence on its way into another one.
  public var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
