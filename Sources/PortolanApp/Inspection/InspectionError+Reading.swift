internal import Foundation
internal import PortolanFiles

extension InspectionError {
  /// Why a file cannot be read.
  init(reading url: URL, _ error: any Error) {
    self = .unreadable(file: url.relativePath, reason: error.plainReason)
  }
}
