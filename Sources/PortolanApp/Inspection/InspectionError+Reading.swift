internal import Foundation
internal import PortolanFiles

extension InspectionError {
  /// The error for a file that cannot be read.
  init(reading url: URL, _ error: any Error) {
    self = .unreadable(file: url.relativePath, reason: error.plainReason)
  }
}
